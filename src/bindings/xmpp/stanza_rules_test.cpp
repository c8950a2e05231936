#include <string>

#include <gtest/gtest.h>

#include "bindings/xmpp/component.hpp"
#include "bindings/xmpp/incoming_iq.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/outgoing.hpp"
#include "bindings/xmpp/testing.hpp"

namespace interline::xmpp {
namespace {

const OwnDomain kOwn = OwnDomain::parse("agents.example.test").value();

/// What becomes of an IQ: "drop", the error's bytes, or "get"/"set" with the payload's name.
std::string verdict(std::string_view xml) {
  const Stanza stanza = testing::read_stanza(xml);
  const IqVerdict result = read_iq(stanza, kOwn);
  if (std::holds_alternative<DroppedStanza>(result)) return "drop";
  if (const auto* refused = std::get_if<RefusedIq>(&result)) {
    return OutgoingStanza::error(refused->route, refused->error).finish();
  }
  const auto& request = std::get<IqRequest>(result);
  return (request.set ? "set " : "get ") + std::string(request.payload.name());
}

std::string bad_request(std::string_view id, std::string_view why) {
  return "<iq type='error'" + std::string(id) +
         " from='desk@agents.example.test' to='A@B/R'><error type='modify'><bad-request "
         "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/><text "
         "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas' xml:lang='en'>" +
         std::string(why) + "</text></error></iq>";
}

const std::string kAddress = " from='A@B/R' to='Desk@AGENTS.example.test'";

TEST(BriefSection2_Duties, OneChildOfAGetOrSetIsARequest) {
  EXPECT_EQ(verdict("<iq type='get' id='1'" + kAddress + "><ping xmlns='urn:xmpp:ping'/></iq>"),
            "get ping");
  EXPECT_EQ(verdict("<iq type='set' id=''" + kAddress + ">\n <x/>\n</iq>"), "set x");
}

TEST(BriefSection2_Duties, AnswersAreNeverAnswered) {
  EXPECT_EQ(verdict("<iq type='result' id='1'" + kAddress + "/>"), "drop");
  EXPECT_EQ(verdict("<iq type='error' id='1'" + kAddress + "><x/></iq>"), "drop");
}

TEST(BriefSection2_Duties, AddressesThatCannotBeReadDropTheStanza) {
  for (const char* address :
       {"", " from='a@b'", " to='agents.example.test'", " from='a b@c' to='agents.example.test'",
        " from='' to='agents.example.test'", " from='a@b' to='x y@agents.example.test'"}) {
    EXPECT_EQ(verdict("<iq type='get' id='1'" + std::string(address) + "><x/></iq>"), "drop");
  }
}

TEST(BriefSection2_Addresses, OtherDomainsAreNeverAnswered) {
  EXPECT_EQ(verdict("<iq type='get' id='1' from='a@b' to='other.test'><x/></iq>"), "drop");
}

TEST(BriefSection2_Duties, TheRestIsABadRequest) {
  EXPECT_EQ(verdict("<iq type='get'" + kAddress + "><x/></iq>"),
            bad_request("", "an iq needs an id"));
  EXPECT_EQ(verdict("<iq type='foo' id='1'" + kAddress + "><x/></iq>"),
            bad_request(" id='1'", "an iq is get, set, result or error"));
  EXPECT_EQ(verdict("<iq id='1'" + kAddress + "><x/></iq>"),
            bad_request(" id='1'", "an iq is get, set, result or error"));
  EXPECT_EQ(verdict("<iq type='get' id='1'" + kAddress + "/>"),
            bad_request(" id='1'", "a request has exactly one payload"));
  EXPECT_EQ(verdict("<iq type='get' id='1'" + kAddress + "><x/><y/></iq>"),
            bad_request(" id='1'", "a request has exactly one payload"));
  std::string deep = "<iq type='get' id='1'" + kAddress + ">";
  for (int i = 0; i < 40; ++i) deep += "<x>";
  for (int i = 0; i < 40; ++i) deep += "</x>";
  EXPECT_EQ(verdict(deep + "</iq>"),
            bad_request(" id='1'", "too deep, too many or too long elements or attributes"));
}

TEST(BriefSection2_Bounds, AnOversizedRequestIsStillKnown) {
  const Stanza stanza = testing::read_stanza("<iq type='set' id='1'" + kAddress +
                                             "><invoke xmlns='urn:xmpp:agent-task:0' tool='t'>" +
                                             std::string(600'000, 'x') + "</invoke></iq>");
  const IqVerdict result = read_iq(stanza, kOwn);
  const auto& request = std::get<IqRequest>(result);
  EXPECT_TRUE(request.oversized);
  EXPECT_EQ(request.payload.attribute("tool"), "t");
}

TEST(BriefSection2_Addresses, AnswersGoToTheSpellingTheyCameFromInOurSpellingOfTheAddressee) {
  const Stanza stanza =
      testing::read_stanza("<iq type='get' id='&apos;1'" + kAddress + "><x/></iq>");
  const IqVerdict result = read_iq(stanza, kOwn);
  const auto& request = std::get<IqRequest>(result);
  EXPECT_EQ(request.from.text(), "a@b/R");
  EXPECT_EQ(request.to.text(), "desk@agents.example.test");
  EXPECT_EQ(OutgoingStanza::result(request.route).finish(),
            "<iq type='result' id='&apos;1' from='desk@agents.example.test' to='A@B/R'/>");
}

TEST(BriefSection2_Outgoing, StanzasAreBuiltAroundTheirPayload) {
  OutgoingStanza message =
      OutgoingStanza::message("normal", kOwn.endpoint("desk").value(), "a@b/r", "ev-1");
  message.xml().begin(element::kEvent, ns::kAgentTask);
  message.xml().text("{\"a\":1}");
  const OutgoingStanza moved_away = OutgoingStanza::presence("", kOwn.gateway(), "a@b");
  OutgoingStanza moved = std::move(message);
  EXPECT_EQ(moved.finish(),
            "<message type='normal' id='ev-1' from='desk@agents.example.test' to='a@b/r'>"
            "<event xmlns='urn:xmpp:agent-task:0'>{\"a\":1}</event></message>");
  EXPECT_EQ(moved.wire_size(), moved.finish().size() + 10);
  EXPECT_EQ(OutgoingStanza::presence("subscribed", kOwn.gateway(), "a@b").finish(),
            "<presence type='subscribed' from='agents.example.test' to='a@b'/>");
  EXPECT_EQ(OutgoingStanza::request("get", kOwn.gateway(), "b", "i").finish(),
            "<iq type='get' id='i' from='agents.example.test' to='b'/>");
}

TEST(BriefSection2_Bounds, StanzaOut393216AsServersCount) {
  const auto fits = [](std::size_t quotes, std::size_t letters) {
    OutgoingStanza stanza = OutgoingStanza::presence("", kOwn.gateway(), "a@b");
    const std::size_t frame = std::string_view(
                                  "<presence from='agents.example.test' to='a@b'>"
                                  "</presence>")
                                  .size();
    stanza.xml().text(std::string(quotes, '"') + std::string(letters - frame, 'x'));
    stanza.finish();
    return stanza.wire_size() <= ComponentConfig().stanza_out;
  };
  EXPECT_TRUE(fits(0, 393'216));
  EXPECT_FALSE(fits(0, 393'217));
  EXPECT_TRUE(fits(65'000, 3'216));
  EXPECT_FALSE(fits(65'000, 3'217));
}

}  // namespace
}  // namespace interline::xmpp

// The caller's side of the wire: requests as the specification's examples have them, answers and
// events read strictly.
#include "bindings/xmpp/agent_stanzas.hpp"

#include <string>

#include <gtest/gtest.h>

#include "base/base64.hpp"
#include "base/sha256.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/testing.hpp"

namespace interline::xmpp {
namespace {

using namespace protocols::xmpp;

constexpr std::string_view kTask = "tk-aaaaaaaaaaaaaaaaaaaaaa";
const std::string kHash = encode_base64(sha256("{}"));
const std::string kHashElement =
    "<hash xmlns='urn:xmpp:hashes:2' algo='sha-256'>" + kHash + "</hash>";

std::string written(const AgentRequest& request) {
  std::string xml;
  XmlWriter w(xml, ns::kComponent);
  write_request(w, request);
  return xml;
}

Answered<AgentAnswer> read(const AgentRequest& request, const std::string& payload) {
  return read_answer(request, testing::read_stanza("<iq type='result'>" + payload + "</iq>"));
}

TEST(CallersWire, RequestsAreAsTheSpecificationHasThem) {
  EXPECT_EQ(iq_type(AskEndpoint{}), "get");
  EXPECT_EQ(written(AskEndpoint{}), "<query xmlns='http://jabber.org/protocol/disco#info'/>");
  EXPECT_EQ(written(AskManifest{"1.4"}),
            "<manifest-request xmlns='urn:xmpp:agent-api:0' version='1.4'/>");
  const Invoke invoke{"rq-6fX2mB0wQ1u9sYh4Kz7TjA",
                      "ticket.open",
                      {"2", kHash},
                      R"({"a":"<"})",
                      "2026-09-01T08:00:00Z"};
  EXPECT_EQ(iq_type(invoke), "set");
  EXPECT_EQ(written(invoke),
            "<invoke xmlns='urn:xmpp:agent-task:0' request-id='rq-6fX2mB0wQ1u9sYh4Kz7TjA' "
            "tool='ticket.open' api-version='2'><manifest-hash>" +
                kHashElement +
                "</manifest-hash><arguments media-type='application/json'>{\"a\":\"&lt;\"}"
                "</arguments><deadline>2026-09-01T08:00:00Z</deadline></invoke>");
  EXPECT_EQ(written(AskState{"t"}),
            "<task-state-request xmlns='urn:xmpp:agent-task:0' task-id='t'/>");
  EXPECT_EQ(written(AskResult{"t"}),
            "<task-result-request xmlns='urn:xmpp:agent-task:0' task-id='t'/>");
  EXPECT_EQ(
      written(ProvideInput{"t", "r", 3, "{}"}),
      "<provide-input xmlns='urn:xmpp:agent-task:0' task-id='t' request-id='r' "
      "expected-revision='3'><input media-type='application/json'>{}</input></provide-input>");
  EXPECT_EQ(written(CancelTask{"t", 4, "why"}),
            "<cancel xmlns='urn:xmpp:agent-task:0' task-id='t' expected-revision='4'>"
            "<reason>why</reason></cancel>");
}

TEST(CallersWire, CharactersThatXmlCannotCarryAreEscapesInJson) {
  const std::string xml =
      written(ProvideInput{"t", "r", 3, "\"\xEF\xBF\xBE\xEF\xBF\xBD\xEF\xBF\xBF\""});
  EXPECT_NE(xml.find("\\ufffe\xEF\xBF\xBD\\uffff"), std::string::npos) << xml;
}

TEST(CallersWire, AnEndpointSaysWhatIsActiveAndWhatItCan) {
  const std::string head =
      "<query xmlns='http://jabber.org/protocol/disco#info'><identity category='automation' "
      "type='agent-endpoint' name='A'/><feature var='urn:xmpp:agent-task:0'/><feature "
      "var='urn:xmpp:agent-api:0#manifest'/><feature var='urn:xmpp:agent-task:0#cancel'/>";
  const auto form = [](const std::string& seconds, const std::string& hash) {
    return "<x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'><value>"
           "urn:xmpp:agent-endpoint-info:0</value></field><field var='version'><value>2</value>"
           "</field><field var='manifest_hash_algo'><value>sha-256</value></field><field "
           "var='manifest_hash_value'><value>" +
           hash + "</value></field><field var='request_replay_seconds'><value>" + seconds +
           "</value></field></x></query>";
  };
  const auto answer = read(AskEndpoint{}, head + form("86400", kHash));
  ASSERT_TRUE(answer);
  const auto& info = std::get<EndpointInfo>(*answer);
  EXPECT_EQ(info.pins, (Pins{"2", kHash}));
  EXPECT_EQ(info.replay, std::chrono::hours(24));
  EXPECT_TRUE(info.tasks && info.manifests && info.cancel);
  EXPECT_FALSE(info.progress || info.input);
  for (const std::string& bad :
       {head + "</query>", head + form("0", kHash), head + form("x", kHash),
        head + form("1", "short"),
        "<query xmlns='http://jabber.org/protocol/disco#info'><identity category='client' "
        "type='pc'/>" +
            form("1", kHash)}) {
    EXPECT_FALSE(read(AskEndpoint{}, bad)) << bad;
  }
}

TEST(CallersWire, AManifestIsThatOfItsHash) {
  const std::string head =
      "<manifest xmlns='urn:xmpp:agent-api:0' version='2' media-type='application/json'>";
  const auto answer = read(AskManifest{"2"}, head + kHashElement + "<json>{}</json></manifest>");
  ASSERT_TRUE(answer);
  EXPECT_EQ(std::get<ManifestText>(*answer).pins, (Pins{"2", kHash}));
  EXPECT_EQ(std::get<ManifestText>(*answer).text, "{}");
  EXPECT_FALSE(read(AskManifest{"2"}, head + kHashElement + "<json>{ }</json></manifest>"));
}

TEST(CallersWire, AcceptancesAndStatesAreReadStrictly) {
  const std::string accepted = "<accepted xmlns='urn:xmpp:agent-task:0' request-id='r' task-id='" +
                               std::string(kTask) + "' revision='0' created='c' retain-until='u'";
  ASSERT_TRUE(read(Invoke{}, accepted + "/>"));
  EXPECT_FALSE(read(Invoke{}, accepted + " more='1'/>"));
  EXPECT_FALSE(read(Invoke{}, accepted + "/><again/>"));
  EXPECT_FALSE(read(AskState{}, accepted + "/>"));  // an answer to something else

  const std::string state =
      "<task-state xmlns='urn:xmpp:agent-task:0' task-id='t' endpoint='e' state='input_required' "
      "revision='4' api-version='2' created='c' updated='u' retain-until='r' "
      "result-available='false'><manifest-hash>" +
      kHashElement + "</manifest-hash><pending-input media-type='application/json'>{}" +
      "</pending-input></task-state>";
  const auto read_back = read(AskState{"t"}, state);
  ASSERT_TRUE(read_back);
  EXPECT_EQ(std::get<RemoteState>(*read_back).revision, 4U);
  EXPECT_EQ(std::get<RemoteState>(*read_back).state, tasks::State::input_required);
  EXPECT_EQ(std::get<RemoteState>(*read_back).pending, "{}");

  const auto result = read(AskResult{"t"},
                           "<task-result xmlns='urn:xmpp:agent-task:0' task-id='t' "
                           "state='completed' revision='5' media-type='application/json'>{\"r\":1}"
                           "</task-result>");
  ASSERT_TRUE(result);
  EXPECT_EQ(std::get<RemoteResult>(*result).body, R"({"r":1})");

  const auto taken = read(CancelTask{},
                          "<cancel-accepted xmlns='urn:xmpp:agent-task:0' "
                          "task-id='t' revision='6'/>");
  ASSERT_TRUE(taken);
  EXPECT_EQ(std::get<Taken>(*taken).revision, 6U);
}

TEST(CallersWire, ARefusalIsItsCondition) {
  const auto answer = read_answer(
      Invoke{}, testing::read_stanza("<iq type='error'><error type='cancel'><item-not-found "
                                     "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>"));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, Fault::Kind::refused);
  EXPECT_EQ(answer.error().condition, "item-not-found");
}

std::string event_with(const std::string& attributes, const std::string& more = "") {
  return "<event xmlns='urn:xmpp:agent-task:0' task-id='" + std::string(kTask) +
         "' event-id='ev-aaaaaaaaaaaaaaaaaaaaaa' " + attributes + ">{}" + more + "</event>";
}

TEST(Checklist99_Lifecycle, AMessageIsReadWholeOrNotAtAll) {
  const std::string good = event_with("revision='3' type='cancelled'");
  const auto event = read_event(testing::read_stanza("<message>" + good + "</message>"));
  ASSERT_TRUE(event);
  EXPECT_EQ(event->task, kTask);
  EXPECT_EQ(event->revision, 3U);
  EXPECT_EQ(event->type, tasks::EntryType::cancelled);
  EXPECT_EQ(event->body, "{}");
  EXPECT_TRUE(read_event(testing::read_stanza("<message type='normal'>" + good +
                                              "<delay xmlns='urn:xmpp:delay'/></message>")));
  for (const std::string& bad :
       {"<message type='chat'>" + good + "</message>",
        "<message type='headline'>" + good + "</message>", "<message>" + good + good + "</message>",
        "<message><x xmlns='y'>" + good + "</x></message>",
        "<message>" + event_with("revision='0' type='cancelled'") + "</message>",
        "<message>" + event_with("revision='-1' type='cancelled'") + "</message>",
        "<message>" + event_with("revision='3' type='log'") + "</message>",
        "<message>" + event_with("revision='3' type='ended'") + "</message>",
        "<message>" + event_with("revision='3'") + "</message>",
        "<message>" + event_with("revision='3' type='cancelled' more='1'") + "</message>",
        "<message>" + event_with("revision='3' type='cancelled'", "<b/>") + "</message>",
        std::string("<message/>")}) {
    EXPECT_FALSE(read_event(testing::read_stanza(bad))) << bad;
  }
}

// Only the start of such a stanza is kept: it is not taken for the whole.
TEST(Checklist81_Answers, WhatIsTooLargeIsALocalFailure) {
  const std::string accepted = "<accepted xmlns='urn:xmpp:agent-task:0' request-id='r' task-id='" +
                               std::string(kTask) + "' revision='0' created='c' retain-until='u'/>";
  const std::string filling(524'288, ' ');
  EXPECT_TRUE(read(Invoke{}, accepted));
  const auto large = read(Invoke{}, accepted + filling);
  ASSERT_FALSE(large);
  EXPECT_EQ(large.error().kind, Fault::Kind::unreadable);
  EXPECT_FALSE(read(AskResult{},
                    "<task-result xmlns='urn:xmpp:agent-task:0' task-id='t' "
                    "state='completed' revision='1' media-type='application/json'>" +
                        filling + "{}</task-result>"));
}

TEST(Checklist82_Lifecycle, AnEventThatIsTooLargeIsNone) {
  const std::string good = event_with("revision='3' type='cancelled'");
  EXPECT_TRUE(read_event(testing::read_stanza("<message>" + good + "</message>")));
  const std::string filling(524'288, ' ');
  EXPECT_FALSE(read_event(testing::read_stanza("<message>" + good + filling + "</message>")));
  EXPECT_FALSE(read_event(testing::read_stanza(
      "<message>" + event_with("revision='3' type='cancelled'", filling) + "</message>")));
}

}  // namespace
}  // namespace interline::xmpp

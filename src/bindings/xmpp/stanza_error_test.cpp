#include "bindings/xmpp/stanza_error.hpp"

#include <string>

#include <gtest/gtest.h>

#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/testing.hpp"

namespace interline::xmpp {
namespace {

std::string written(const Error& error) {
  std::string out;
  XmlWriter w(out, ns::kComponent);
  write_error(w, error);
  return out;
}

std::string without_text(std::string_view type, std::string_view condition) {
  return "<error type='" + std::string(type) + "'><" + std::string(condition) +
         " xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>";
}

TEST(BriefSection21_StanzaErrors, TheTableRowByRow) {
  const auto with_text = [](std::string_view type, std::string_view condition) {
    std::string out = without_text(type, condition);
    const std::string text =
        "<text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas' xml:lang='en'>why</text>";
    return out.insert(out.rfind("</error>"), text);
  };
  EXPECT_EQ(written({ErrorKind::malformed, "why"}), with_text("modify", "bad-request"));
  EXPECT_EQ(written({ErrorKind::not_acceptable, "why"}), with_text("modify", "not-acceptable"));
  EXPECT_EQ(written({ErrorKind::conflict, "why"}), with_text("cancel", "conflict"));
  EXPECT_EQ(written({ErrorKind::resource_constraint, "why"}),
            with_text("wait", "resource-constraint"));
  EXPECT_EQ(written({ErrorKind::forbidden, "why"}), with_text("auth", "forbidden"));
  EXPECT_EQ(written({ErrorKind::internal, "why"}), with_text("cancel", "internal-server-error"));
}

TEST(BriefSection21_StanzaErrors, NotFoundTooEarlyAndUnavailableAreTheSameBytesWhateverTheReason) {
  for (const char* why : {"", "no such endpoint", "hidden"}) {
    EXPECT_EQ(written({ErrorKind::not_found, why}), without_text("cancel", "item-not-found"));
    EXPECT_EQ(written({ErrorKind::too_early, why}), without_text("wait", "unexpected-request"));
    EXPECT_EQ(written({ErrorKind::unavailable, why}),
              without_text("cancel", "service-unavailable"));
  }
}

TEST(BriefSection21_StanzaErrors, ARefusedCommitMayBeRepeated) {
  Error error(ErrorKind::internal, "");
  error.retry_after = std::chrono::milliseconds(100);
  EXPECT_EQ(written(error), without_text("wait", "internal-server-error"));
}

TEST(BriefSection21_StanzaErrors, TheSentenceHas256BytesAtMost) {
  std::string long_text;
  for (int i = 0; i < 200; ++i) long_text += "é";
  const std::string out = written({ErrorKind::conflict, long_text});
  const std::string kept = long_text.substr(0, 256);
  EXPECT_NE(out.find(">" + kept + "</text>"), std::string::npos);
}

TEST(BriefSection21_StanzaErrors, AreReadInEveryStanzaNamespace) {
  for (const char* ns : {"jabber:component:accept", "jabber:client", "jabber:server"}) {
    const Stanza stanza = testing::read_stanza(
        "<iq type='error'><ping xmlns='urn:xmpp:ping'/><error xmlns='" + std::string(ns) +
        "' type='wait' by='x'><text xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'>no</text>"
        "<remote-server-timeout xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/><other xmlns='x'/>"
        "</error></iq>");
    const auto error = read_error(stanza.root());
    ASSERT_TRUE(error);
    EXPECT_EQ(error->condition, "remote-server-timeout");
    EXPECT_EQ(error->type, "wait");
  }
  EXPECT_FALSE(read_error(testing::read_stanza("<iq><error xmlns='x'/></iq>").root()));
  EXPECT_EQ(read_error(testing::read_stanza("<iq><error/></iq>").root())->condition,
            "undefined-condition");
}

TEST(BriefSection2_StreamErrors, DelaysByCondition) {
  using std::chrono::seconds;
  for (const char* fault : {"not-authorized", "host-unknown", "invalid-namespace"}) {
    EXPECT_EQ(least_delay(stream_error_row(fault).retry), seconds(30)) << fault;
    EXPECT_FALSE(stream_error_row(fault).remedy.empty());
  }
  EXPECT_EQ(least_delay(stream_error_row("conflict").retry), seconds(5));
  for (const char* other : {"system-shutdown", "invalid-from", "reset", "anything"}) {
    EXPECT_EQ(least_delay(stream_error_row(other).retry), seconds(0)) << other;
  }
}

}  // namespace
}  // namespace interline::xmpp

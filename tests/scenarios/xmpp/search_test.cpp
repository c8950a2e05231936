// The checklist's numbers on search and profiles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kDesk = "desk@agents.example.test";

// --- search -------------------------------------------------------------------------------------

std::string legacy(std::string_view words) {
  return "<query xmlns='jabber:iq:search'><nick>" + std::string(words) + "</nick></query>";
}
std::string form(std::string_view words, std::string_view type = "submit",
                 std::string_view form_type = "jabber:iq:search") {
  return "<query xmlns='jabber:iq:search'><x xmlns='jabber:x:data' type='" + std::string(type) +
         "'><field var='FORM_TYPE' type='hidden'><value>" + std::string(form_type) +
         "</value></field><field var='nick'><value>" + std::string(words) +
         "</value></field></x></query>";
}

TEST(XmppChecklist, C13_046_To_C13_048_TheSearchFormAndBothAnswers) {
  XmppBench bench;
  bench.add("desk", manifest_text("desk", "2", R"("title":"Help Desk")"));
  const Reply asked = bench.get(kCaller, kGateway, "<query xmlns='jabber:iq:search'/>");
  EXPECT_THAT(asked.bytes, HasSubstr("<nick/>"));
  EXPECT_THAT(asked.bytes, HasSubstr("<field var='FORM_TYPE' type='hidden'>"
                                     "<value>jabber:iq:search</value></field>"));
  EXPECT_THAT(asked.bytes, HasSubstr("<field var='nick' type='text-single'"));
  EXPECT_EQ(bench.set(kCaller, kGateway, legacy("help")).masked(),
            "<iq type='result'><query xmlns='jabber:iq:search'><item jid='" + kDesk +
                "'><first/><last/><nick>Help Desk</nick><email/></item></query></iq>");
  const Reply formed = bench.set(kCaller, kGateway, form("help"));
  EXPECT_THAT(formed.bytes, HasSubstr("<item><field var='jid'><value>" + kDesk +
                                      "</value></field><field var='nick'><value>Help Desk"
                                      "</value></field></item>"));
  EXPECT_THAT(formed.bytes, HasSubstr("<reported>"));
  EXPECT_THAT(formed.bytes, Not(HasSubstr("FORM_TYPE")));
}

TEST(XmppChecklist, C13_049_WordsAreFoundWithoutRegardToCase) {
  XmppBench bench;
  bench.add("desk",
            manifest_text("desk", "2",
                          "\"title\":\"Stra\u00dfe \u03a3\u03af\u03c3\u03c5\u03c6\u03bf\u03c2\""));
  for (const std::string_view words :
       {"STRASSE", "stra\u00dfe", "\u03a3\u038a\u03a3\u03a5\u03a6\u039f\u03a3", "DESK",
        "desk strasse", "\uff33\uff34\uff32\uff21", ""}) {
    const Reply reply = bench.set(kCaller, kGateway, legacy(words));
    EXPECT_THAT(reply.bytes, HasSubstr(kDesk)) << words << reply.bytes;
  }
  EXPECT_THAT(bench.set(kCaller, kGateway, legacy("desk other")).bytes, Not(HasSubstr(kDesk)));
}

TEST(XmppChecklist, C13_002_AndC13_050_SearchShowsNothingHidden) {
  XmppBench bench;
  const std::string none = bench.set(kCaller, kGateway, legacy("no such thing")).masked();
  EXPECT_EQ(none, "<iq type='result'><query xmlns='jabber:iq:search'/></iq>");
  EXPECT_EQ(bench.set(kCaller, kGateway, legacy("hidden")).masked(), none);
  EXPECT_EQ(bench.set(kForeigner, kGateway, legacy("demo")).masked(), none);
  EXPECT_EQ(bench.set(kRunner, kGateway, legacy("demo")).masked(), none);
  EXPECT_EQ(bench.set(kForeigner, kGateway, form("demo")).masked(), none);
  EXPECT_EQ(bench.get(kForeigner, kGateway, "<query xmlns='jabber:iq:search'/>").error(),
            "service-unavailable/cancel");
}

TEST(XmppChecklist, C13_002_AFormThatIsNoneIsRefused) {
  XmppBench bench;
  EXPECT_EQ(bench.set(kCaller, kGateway, form("x", "result")).error(), "bad-request/modify");
  EXPECT_EQ(bench.set(kCaller, kGateway, form("x", "other")).error(), "bad-request/modify");
  EXPECT_EQ(bench.set(kCaller, kGateway, form("x", "submit", "jabber:iq:register")).error(),
            "not-acceptable/modify");
  const std::string one = form("x");
  const std::string x = one.substr(one.find("<x"), one.find("</query>") - one.find("<x"));
  EXPECT_EQ(
      bench.set(kCaller, kGateway, "<query xmlns='jabber:iq:search'>" + x + x + "</query>").error(),
      "bad-request/modify");
  EXPECT_EQ(bench.set(kCaller, kGateway, legacy(std::string(257, 'x'))).error(),
            "bad-request/modify");
  EXPECT_TRUE(bench.set(kCaller, kGateway, legacy(std::string(256, 'x'))).ok());
  EXPECT_EQ(bench.set(kCaller, kGateway, form("x", "cancel")).masked(), "<iq type='result'/>");
  // A field that is understood comes once (XEP-0004 section 3.2); others are ignored (section 3).
  const auto with_field = [](std::string_view field) {
    std::string xml = form("demo");
    const std::string twice = std::string(field) + std::string(field);
    return xml.insert(xml.find("<field"), twice);
  };
  const std::string answer = bench.set(kCaller, kGateway, form("demo")).masked();
  EXPECT_THAT(answer, HasSubstr("<value>demo@agents.example.test</value>"));
  for (const std::string_view unknown : {"<field var='first'><value>x</value></field>",
                                         "<field var='x-y'><value><b/></value></field>",
                                         "<field type='fixed'><value>Words</value></field>"}) {
    EXPECT_EQ(bench.set(kCaller, kGateway, with_field(unknown)).masked(), answer) << unknown;
  }
  for (const std::string_view known :
       {"<field var='nick'><value>demo</value></field>",
        "<field var='FORM_TYPE' type='hidden'><value>jabber:iq:search</value></field>"}) {
    EXPECT_EQ(bench.set(kCaller, kGateway, with_field(known)).error(), "bad-request/modify");
  }
}

TEST(XmppChecklist, C13_051_SearchIsPagedInTheOrderOfAddresses) {
  XmppBench bench;
  for (const std::string name : {"a", "a-b", "b"}) {
    bench.add(name, manifest_text(name, "1", R"("title":"Found")"));
  }
  const auto search = [&](std::string_view set) {
    return bench.set(kCaller, kGateway,
                     "<query xmlns='jabber:iq:search'><nick>found</nick><set "
                     "xmlns='http://jabber.org/protocol/rsm'>" +
                         std::string(set) + "</set></query>");
  };
  const Reply first = search("<max>2</max>");
  EXPECT_THAT(first.bytes, HasSubstr("<set xmlns='http://jabber.org/protocol/rsm'>"
                                     "<first index='0'>a-b@agents.example.test</first>"
                                     "<last>a@agents.example.test</last><count>3</count></set>"));
  const Reply second = search("<max>2</max><after>a@agents.example.test</after>");
  EXPECT_THAT(second.bytes, HasSubstr("<item jid='b@agents.example.test'>"));
  EXPECT_EQ(search("<after>hidden@agents.example.test</after>").error(), "item-not-found/cancel");
  EXPECT_EQ(search("<max>x</max>").error(), "bad-request/modify");
}

TEST(XmppChecklist, C13_050_ACountIsToldAlsoWhereNothingMatches) {
  XmppBench bench;
  const std::string none = "<set xmlns='http://jabber.org/protocol/rsm'><max>0</max></set></query>";
  const std::string count = "<set xmlns='http://jabber.org/protocol/rsm'><count>0</count></set>";
  for (const std::string_view question :
       {"<nick>nobody is called that</nick>",
        "<x xmlns='jabber:x:data' type='submit'><field var='nick'><value>nobody is called "
        "that</value></field></x>"}) {
    const std::string query = "<query xmlns='jabber:iq:search'>" + std::string(question);
    EXPECT_EQ(bench.set(kCaller, kGateway, query + none).masked(),
              "<iq type='result'><query xmlns='jabber:iq:search'>" + count + "</query></iq>");
    EXPECT_EQ(bench.set(kCaller, kGateway, query + "</query>").masked(),
              "<iq type='result'><query xmlns='jabber:iq:search'/></iq>");
  }
}

// --- profiles -----------------------------------------------------------------------------------

TEST(XmppChecklist, C13_042_AProfileShowsWhatIsPublicAndNothingOfHiddenEndpoints) {
  XmppBench bench;
  bench.add("desk",
            manifest_text(
                "desk", "2",
                R"("title":"Help Desk","description":"It helps.","vendor":"Example",)"
                R"("homepage":"https://example.test/","avatarUrl":"https://example.test/a.png")"));
  EXPECT_EQ(bench.get(kCaller, kDesk, "<vCard xmlns='vcard-temp'/>").masked(),
            "<iq type='result'><vCard xmlns='vcard-temp'><VERSION>3.0</VERSION><FN>Help Desk</FN>"
            "<N/><NICKNAME>desk</NICKNAME><PHOTO><EXTVAL>https://example.test/a.png</EXTVAL>"
            "</PHOTO><JABBERID>desk@agents.example.test</JABBERID><ORG><ORGNAME>Example</ORGNAME>"
            "</ORG><URL>https://example.test/</URL><DESC>It helps.</DESC></vCard></iq>");
  const std::string card =
      "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'><fn><text>Help Desk</text></fn><photo><uri>"
      "https://example.test/a.png</uri></photo><impp><uri>xmpp:desk@agents.example.test</uri>"
      "</impp><org><text>Example</text></org><url><uri>https://example.test/</uri></url><note>"
      "<text>It helps.</text></note><kind><text>application</text></kind></vcard>";
  EXPECT_EQ(bench.get(kCaller, kDesk, "<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'/>").masked(),
            "<iq type='result'>" + card + "</iq>");
  const std::string pubsub =
      "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items "
      "node='urn:xmpp:vcard4'/></pubsub>";
  EXPECT_EQ(bench.get(kCaller, kDesk, pubsub).masked(),
            "<iq type='result'><pubsub xmlns='http://jabber.org/protocol/pubsub'><items "
            "node='urn:xmpp:vcard4'><item id='current'>" +
                card + "</item></items></pubsub></iq>");
  EXPECT_EQ(bench.set(kCaller, kDesk, "<vCard xmlns='vcard-temp'/>").error(), "forbidden/auth");
  EXPECT_EQ(bench.set(kCaller, kHidden, "<vCard xmlns='vcard-temp'/>").error(),
            "item-not-found/cancel");
  EXPECT_EQ(bench
                .get(kCaller, kDesk,
                     "<pubsub xmlns='http://jabber.org/protocol/pubsub'><items node='x'/></pubsub>")
                .error(),
            "service-unavailable/cancel");
}

}  // namespace
}  // namespace interline::testing

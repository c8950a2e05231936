// Not visible, not permitted and not existing have one answer, byte for byte, on every operation;
// and the rules that every request passes before anybody looks at what it asks.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const std::string kApi = "xmlns='urn:xmpp:agent-api:0'";
const std::string kTask = "xmlns='urn:xmpp:agent-task:0'";
const std::string kSomeTask = "task-of-nobody-0000000000";

struct Operation {
  std::string name;
  std::string_view type;
  std::function<std::string(XmppBench&)> payload;
  bool for_runner = false;  ///< answered to who invokes and does not see
  bool for_viewer = true;   ///< answered to who sees and does not invoke
};

std::string disco(std::string_view kind, std::string_view node, std::string_view inside = {}) {
  std::string xml = "<query xmlns='http://jabber.org/protocol/disco#" + std::string(kind) + "'";
  if (!node.empty()) xml.append(" node='").append(node).append("'");
  return xml.append(">").append(inside).append("</query>");
}

std::vector<Operation> operations() {
  const auto fixed = [](std::string xml) {
    return [xml = std::move(xml)](XmppBench&) { return xml; };
  };
  const std::string set = "<set xmlns='http://jabber.org/protocol/rsm'><max>1</max></set>";
  const std::string any_hash = hash_xml(sha256("any"));
  return {
      {"info", "get", fixed(disco("info", ""))},
      {"items", "get", fixed(disco("items", ""))},
      {"collection info", "get", fixed(disco("info", "urn:xmpp:agent-tools:0#1"))},
      {"collection items", "get", fixed(disco("items", "urn:xmpp:agent-tools:0#1"))},
      {"collection page", "get", fixed(disco("items", "urn:xmpp:agent-tools:0#1", set))},
      {"tool info", "get", fixed(disco("info", "urn:xmpp:agent-tool:0#1#ZWNobw"))},
      {"tool items", "get", fixed(disco("items", "urn:xmpp:agent-tool:0#1#ZWNobw"))},
      {"manifest", "get", fixed("<manifest-request " + kApi + "/>")},
      {"manifest version", "get", fixed("<manifest-request " + kApi + " version='1'/>")},
      {"schema", "get",
       [](XmppBench& bench) {
         return "<schema-request " + kApi + " tool='echo' version='1' direction='input'>" +
                hash_xml(bench.demo_hash()) + "</schema-request>";
       }},
      {"ping", "get", fixed("<ping xmlns='urn:xmpp:ping'/>"), true},
      {"vCard", "get", fixed("<vCard xmlns='vcard-temp'/>")},
      {"vCard4", "get", fixed("<vcard xmlns='urn:ietf:params:xml:ns:vcard-4.0'/>")},
      {"vCard4 item", "get",
       fixed("<pubsub xmlns='http://jabber.org/protocol/pubsub'><items "
             "node='urn:xmpp:vcard4'/></pubsub>")},
      {"invoke", "set", [](XmppBench& bench) { return bench.invoke_xml("echo"); }, true, false},
  };
}

/// Those that name a task.
std::vector<Operation> task_operations(const std::string& task) {
  const auto fixed = [](std::string xml) {
    return [xml = std::move(xml)](XmppBench&) { return xml; };
  };
  return {
      {"state", "get", fixed("<task-state-request " + kTask + " task-id='" + task + "'/>")},
      {"result", "get", fixed("<task-result-request " + kTask + " task-id='" + task + "'/>")},
      {"cancel", "set",
       fixed("<cancel " + kTask + " task-id='" + task + "' expected-revision='0'/>")},
      {"input", "set",
       fixed("<provide-input " + kTask + " task-id='" + task +
             "' request-id='request-of-nobody-000000' expected-revision='0'><input "
             "media-type='application/json'>{</input></provide-input>")},
  };
}

const std::string kNotFound =
    "<iq type='error'><error type='cancel'><item-not-found "
    "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error></iq>";

TEST(XmppChecklist, C13_125_HiddenForbiddenAndAbsentAnswerAlikeOnEveryOperation) {
  XmppBench bench;
  for (const Operation& operation : operations()) {
    const auto ask = [&](std::string_view who, std::string_view to) {
      return bench.iq(operation.type, who, to, operation.payload(bench));
    };
    ASSERT_TRUE(ask(kCaller, kDemo).ok()) << operation.name;
    EXPECT_EQ(ask(kViewer, kDemo).ok(), operation.for_viewer) << operation.name;
    EXPECT_EQ(ask(kRunner, kDemo).ok(), operation.for_runner) << operation.name;
    for (const std::string_view to : {kHidden, kAbsent}) {
      for (const std::string_view who :
           {kCaller, kViewer, kRunner, kOutsider, kForeigner, kAdmin}) {
        EXPECT_EQ(ask(who, to).masked(), kNotFound) << operation.name << " " << who << " " << to;
      }
    }
    EXPECT_EQ(ask(kOutsider, kDemo).masked(), kNotFound) << operation.name;
    EXPECT_EQ(ask(kForeigner, kDemo).masked(), kNotFound) << operation.name;
    if (!operation.for_viewer) {
      EXPECT_EQ(ask(kViewer, kDemo).masked(), kNotFound) << operation.name;
    }
    if (!operation.for_runner) {
      EXPECT_EQ(ask(kRunner, kDemo).masked(), kNotFound) << operation.name;
    }
  }
}

TEST(XmppChecklist, C13_125_ATasksOperationsAnswerAlikeForAllButItsOwner) {
  XmppBench bench;
  const std::string mine = bench.invoke("never");
  for (const std::string& task : {mine, kSomeTask}) {
    for (const Operation& operation : task_operations(task)) {
      for (const std::string_view to : {kDemo, kHidden, kAbsent}) {
        for (const std::string_view who : {kCaller, kOther, kAdmin, kViewer, kForeigner}) {
          if (task == mine && to == kDemo && who == kCaller) continue;
          EXPECT_EQ(bench.iq(operation.type, who, to, operation.payload(bench)).masked(), kNotFound)
              << operation.name << " " << who << " " << to;
        }
      }
    }
  }
  EXPECT_TRUE(bench.state(mine).ok());
}

TEST(XmppChecklist, C13_125_AnInactiveEndpointIsAbsentWhereTheActiveVersionIsAsked) {
  XmppBench bench;
  bench.add("desk", manifest_text("desk", "1"), false);
  const std::string_view desk = "desk@agents.example.test";
  EXPECT_EQ(bench.get(kCaller, desk, disco("info", "")).masked(), kNotFound);
  EXPECT_EQ(bench.get(kCaller, desk, "<manifest-request " + kApi + "/>").masked(), kNotFound);
  EXPECT_EQ(bench.set(kCaller, desk, bench.invoke_xml("echo")).masked(), kNotFound);
  EXPECT_TRUE(bench.get(kCaller, desk, "<manifest-request " + kApi + " version='1'/>").ok());
}

TEST(XmppChecklist, C13_079_AnOversizedRequestTellsItsSizeToNobodyElse) {
  XmppBench bench;
  const std::string mine = bench.invoke("never");
  const std::string filling = "<x xmlns='urn:filling'>" + std::string(530'000, 'x') + "</x>";
  const auto large = [&](std::string xml) {
    const auto close = xml.find("/>");
    if (close != std::string::npos && xml.find('>') == close + 1) {
      const std::string name = xml.substr(1, xml.find_first_of(" />") - 1);
      return xml.substr(0, close) + ">" + filling + "</" + name + ">";
    }
    return xml.insert(xml.find('>') + 1, filling);
  };
  const std::string limit = "resource-constraint/wait";
  std::vector<Operation> all = operations();
  for (const Operation& operation : all) {
    if (operation.name == "vCard4 item") continue;  // unreadable, it may be any request to pubsub
    const std::string xml = large(operation.payload(bench));
    EXPECT_EQ(bench.iq(operation.type, kCaller, kDemo, xml).error(), limit) << operation.name;
    EXPECT_EQ(bench.iq(operation.type, kCaller, kHidden, xml).masked(), kNotFound);
    EXPECT_EQ(bench.iq(operation.type, kForeigner, kDemo, xml).masked(), kNotFound);
  }
  for (const Operation& operation : task_operations(mine)) {
    const std::string xml = large(operation.payload(bench));
    // The request for input that it names was never made.
    const std::string own = operation.name == "input" ? "item-not-found/cancel" : limit;
    EXPECT_EQ(bench.iq(operation.type, kCaller, kDemo, xml).error(), own) << operation.name;
    EXPECT_EQ(bench.iq(operation.type, kOther, kDemo, xml).masked(), kNotFound) << operation.name;
    EXPECT_EQ(bench.iq(operation.type, kCaller, kHidden, xml).masked(), kNotFound);
  }
  EXPECT_NE(bench.state(mine).value("state"), "cancelling");  // it was not taken without its reason
  // What the operation is not open to, it is not open to in any size.
  EXPECT_EQ(bench.set(kPartner, kDemo, large(bench.invoke_xml("echo"))).error(), limit);
  EXPECT_EQ(bench.set(kPartner, kDemo, large(bench.invoke_xml("sleep"))).masked(), kNotFound);
  EXPECT_EQ(bench.set(kCaller, kDemo, large(bench.invoke_xml("absent"))).masked(), kNotFound);
  EXPECT_EQ(bench.set(kViewer, kDemo, large(bench.invoke_xml("echo"))).masked(), kNotFound);
  const std::string echo = bench.invoke("echo");
  bench.event_of_type(echo, "completed");
  const std::string cancel =
      large("<cancel " + kTask + " task-id='" + echo + "' expected-revision='0'/>");
  EXPECT_EQ(bench.set(kCaller, kDemo, cancel).error(), "service-unavailable/cancel");
  const std::string asking = bench.invoke("ask");
  const std::string request = string_member(bench.asked(asking).payload().text(), "requestId");
  const std::string input = large("<provide-input " + kTask + " task-id='" + asking +
                                  "' request-id='" + request + "' expected-revision='1'/>");
  EXPECT_EQ(bench.set(kCaller, kDemo, input).error(), limit);
  EXPECT_EQ(bench.set(kOther, kDemo, input).masked(), kNotFound);
  const std::string status =
      large("<registration-status " + kApi + " jid='demo@agents.example.test'/>");
  EXPECT_EQ(bench.get(kAdmin, kGateway, status).error(), limit);
  EXPECT_EQ(bench.get(kCaller, kGateway, status).error(), "forbidden/auth");
}

TEST(XmppChecklist, C13_080_WhatWasSentIsNeverSentBack) {
  XmppBench bench;
  const std::string marker = "m4rker";
  const std::string payloads[] = {
      "<" + marker + " xmlns='urn:" + marker + "'>" + marker + "</" + marker + ">",
      "<invoke " + kTask + " " + marker + "='" + marker + "'/>",
      bench.invoke_xml(marker, "{\"" + marker + "\":1}"),
      bench.invoke_xml("sleep", "{\"" + marker + "\":\"" + marker + "\"}"),
      bench.invoke_xml("sleep", "{\"milliseconds\":\"" + marker + "\"}"),
      bench.invoke_xml("echo", "{\"" + marker),
      "<register " + kApi + "><manifest media-type='application/json'>{\"" + marker +
          "\":1}</manifest></register>",
      "<register " + kApi + "><manifest media-type='" + marker + "'/></register>",
      "<manifest-request " + kApi + " version='" + marker + "+'/>",
      "<activate " + kApi + " jid='" + marker + "'/>",
      disco("info", marker),
      disco("items", "",
            "<set xmlns='http://jabber.org/protocol/rsm'><max>" + marker + "</max></set>"),
      "<query xmlns='jabber:iq:search'><x xmlns='jabber:x:data' type='" + marker + "'/></query>",
  };
  for (const std::string& payload : payloads) {
    for (const std::string_view type : {"get", "set"}) {
      for (const std::string_view to : {kGateway, kDemo, kAbsent}) {
        const Reply reply = bench.iq(type, kAdmin, to, payload);
        EXPECT_THAT(reply.bytes, Not(HasSubstr(marker))) << payload;
        if (!reply.ok()) {
          EXPECT_THAT(reply.bytes, Not(HasSubstr(" by=")));
        }
      }
    }
  }
}

TEST(XmppChecklist, C13_124_EveryRequestHasExactlyOneAnswer) {
  XmppBench bench;
  for (const std::string_view to : {kGateway, kDemo, kAbsent, kHidden}) {
    EXPECT_EQ(bench.get(kCaller, to, "<unknown xmlns='urn:unknown'/>").error(),
              "service-unavailable/cancel");
    EXPECT_EQ(bench.get(kCaller, to, "").error(), "bad-request/modify");
    EXPECT_EQ(bench.get(kCaller, to, "<a/><b/>").error(), "bad-request/modify");
    EXPECT_EQ(bench.iq("other", kCaller, to, "<a/>").error(), "bad-request/modify");
  }
  EXPECT_EQ(bench.get(kCaller, kGateway, bench.invoke_xml("echo")).error(),
            "service-unavailable/cancel");
  EXPECT_EQ(bench.set(kCaller, kDemo, "<register " + kApi + "/>").error(),
            "service-unavailable/cancel");
  EXPECT_EQ(bench.set(kCaller, kGateway, disco("info", "")).error(), "bad-request/modify");
  const std::string deep = [] {
    std::string xml;
    for (int i = 0; i < 40; ++i) xml += "<a>";
    for (int i = 0; i < 40; ++i) xml += "</a>";
    return xml;
  }();
  EXPECT_EQ(bench.get(kCaller, kDemo, deep).error(), "bad-request/modify");
}

TEST(XmppChecklist, C13_124_WhatIsNoRequestIsNotAnswered) {
  XmppBench bench;
  bench.take_all();
  bench.say("<iq type='result' id='r' from='a@b/c' to='demo@agents.example.test'/>");
  bench.say("<iq type='error' id='e' from='a@b/c' to='demo@agents.example.test'><a/></iq>");
  bench.say("<iq type='get' id='f' to='demo@agents.example.test'><a/></iq>");
  bench.say("<iq type='get' id='g' from='a@b@c' to='demo@agents.example.test'><a/></iq>");
  bench.say("<iq type='get' id='h' from='a@b/c' to='demo@elsewhere.test'><a/></iq>");
  bench.say("<message type='error' id='m' from='a@b/c' to='demo@agents.example.test'/>");
  bench.say("<iq type='get' from='a@b/c' to='demo@agents.example.test'><a/></iq>");
  bench.settle();
  const std::vector<Emitted> all = bench.take_all();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().bytes,
            "<iq type='error' from='demo@agents.example.test' to='a@b/c'><error type='modify'>"
            "<bad-request xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/><text "
            "xmlns='urn:ietf:params:xml:ns:xmpp-stanzas' xml:lang='en'>an iq needs an id</text>"
            "</error></iq>");
}

TEST(XmppChecklist, C13_144_AnswersGoFromTheAddressWrittenToToTheAddressWrittenFrom) {
  XmppBench bench;
  const Reply reply =
      bench.get("ALICE@example.test/Desk", "Demo@AGENTS.example.test", disco("info", ""));
  EXPECT_EQ(reply.attribute("from"), kDemo);
  EXPECT_EQ(reply.attribute("to"), "ALICE@example.test/Desk");
}

TEST(XmppChecklist, C13_072_AndC13_071_JsonIsOneValueHoweverItsTextIsCut) {
  XmppBench bench;
  const std::string xml = bench.invoke_xml("echo", R"({"a":1})");
  const auto with = [&](std::string_view by) {
    std::string text = xml;
    const std::string part = R"({"a":1})";
    return text.replace(text.find(part), part.size(), by);
  };
  const Reply first = bench.set(kCaller, kDemo, xml);
  for (const std::string_view same :
       {R"(<![CDATA[{"a"]]>:1})", "&#x7b;\"a\":1&#125;", "\n {\"a\" : 1}\t"}) {
    EXPECT_EQ(bench.set(kCaller, kDemo, with(same)).masked(), first.masked()) << same;
  }
  for (const std::string_view bad : {"{\"a\":1}{}", "{\"a\":1},", "\xEF\xBB\xBF{\"a\":1}", "", " ",
                                     "{'a':1}", "{\"a\":01}", "NaN"}) {
    EXPECT_EQ(bench.set(kCaller, kDemo, with(bad)).error(), "bad-request/modify") << bad;
  }
}

TEST(XmppChecklist, C13_151_AndC13_152_ContentDecidesNothing) {
  XmppBench bench;
  const std::string task = bench.invoke(
      "echo", R"({"to":"eve@elsewhere.test","from":"admin@example.test","endpoint":"hidden",)"
              R"("tenant":"other","text":"</event></message><message to='eve@elsewhere.test'>"})");
  const Emitted end = bench.event_of_type(task, "completed");
  EXPECT_EQ(end.attribute("to"), kCaller);
  EXPECT_EQ(end.attribute("from"), kDemo);
  bench.settle();
  for (const Emitted& each : bench.take_all()) {
    EXPECT_EQ(each.attribute("to"), kCaller) << each.bytes;
  }
}

TEST(XmppChecklist, C13_157_TheLogHasNoPayloads) {
  XmppBench bench;
  bench.event_of_type(bench.invoke("echo", R"({"password":"m4rker"})"), "completed");
  bench.set(kCaller, kDemo, bench.invoke_xml("echo", R"({"m4rker")"));
  bench.say(
      "<message from='m4rker@b/c' to='demo@agents.example.test'><body>m4rker</body></message>");
  bench.settle();
  EXPECT_THAT(bench.log().text(), Not(HasSubstr("m4rker")));
}

}  // namespace
}  // namespace interline::testing

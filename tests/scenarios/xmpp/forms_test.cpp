// The checklist's numbers on the forms of requests: what is required, what is surplus, what is no
// number, no address, no node. The answer depends on the bytes alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench.hpp"

namespace interline::testing {
namespace {

const std::string kApi = "xmlns='urn:xmpp:agent-api:0'";
const std::string kTask = "xmlns='urn:xmpp:agent-task:0'";
constexpr std::string_view kDesk = "desk@agents.example.test";

/// The XML with one part of it replaced; the part must be there.
std::string with(std::string xml, std::string_view part, std::string_view by) {
  const auto at = xml.find(part);
  EXPECT_NE(at, std::string::npos) << part << " is not in " << xml;
  return at == std::string::npos ? xml : xml.replace(at, part.size(), by);
}

struct Form {
  std::string type;
  std::string good;                                        ///< an IQ's payload
  std::vector<std::pair<std::string, std::string>> worse;  ///< what of it, and by what
};

TEST(XmppChecklist, C13_116_WhatTasksAreAskedHasItsForm) {
  XmppBench bench;
  const std::string task = bench.invoke("ask");
  const std::string request = string_member(bench.asked(task).payload().text(), "requestId");
  const std::string id = " task-id='" + task + "'";
  const std::string asked = " request-id='" + request + "'";
  const std::string revision = " expected-revision='1'";
  const std::string input = "<input media-type='application/json'>\"Ada\"</input>";
  std::vector<std::pair<std::string, std::string>> revisions = {{revision, ""}};
  for (const std::string_view bad : {"", "-1", "1.5", "one", "0x1", "1 2", "9223372036854775808",
                                     "18446744073709551616", "99999999999999999999999999"}) {
    revisions.emplace_back(revision, " expected-revision='" + std::string(bad) + "'");
  }
  const std::vector<std::pair<std::string, std::string>> ids = {
      {id, ""},
      {id, " task-id=''"},
      {id, " task-id='short'"},
      {id, " task-id='a task-id with blanks in it'"},
      {id, id + " more='1'"},
  };
  std::vector<Form> forms = {
      {"get", "<task-state-request " + kTask + id + "/>", ids},
      {"get", "<task-result-request " + kTask + id + "/>", ids},
      {"set", "<cancel " + kTask + id + revision + "><reason>r</reason></cancel>", ids},
      {"set", "<provide-input " + kTask + id + asked + revision + ">" + input + "</provide-input>",
       ids},
  };
  forms[0].worse.emplace_back("/>", "><more/></task-state-request>");
  forms[1].worse.emplace_back("/>", ">text</task-result-request>");
  for (const auto& each : revisions) {
    forms[2].worse.push_back(each);
    forms[3].worse.push_back(each);
  }
  const std::pair<std::string, std::string> of_cancel[] = {
      {"</reason>", "</reason><reason>r</reason>"},
      {"<reason>", "<reason more='1'>"},
      {"<reason>", "<more/><reason>"},
      {"r</reason>", "<r/></reason>"},
      {"</cancel>", "text</cancel>"},
  };
  forms[2].worse.insert(forms[2].worse.end(), std::begin(of_cancel), std::end(of_cancel));
  const std::pair<std::string, std::string> of_input[] = {
      {asked, ""},
      {asked, " request-id='short'"},
      {input, ""},
      {input, input + input},
      {input, "<input>\"Ada\"</input>"},
      {input, "<input media-type='application/xml'>\"Ada\"</input>"},
      {input, "<input media-type='application/json'><json/></input>"},
      {input, "<input xmlns='urn:other' media-type='application/json'>\"Ada\"</input>"},
  };
  forms[3].worse.insert(forms[3].worse.end(), std::begin(of_input), std::end(of_input));

  for (const Form& form : forms) {
    for (const auto& [part, by] : form.worse) {
      const std::string xml = with(form.good, part, by);
      const Reply mine = bench.iq(form.type, kCaller, kDemo, xml);
      EXPECT_EQ(mine.error(), "bad-request/modify") << xml;
      for (const std::string_view to : {kHidden, kAbsent}) {
        EXPECT_EQ(bench.iq(form.type, kForeigner, to, xml).masked(), mine.masked()) << xml;
      }
    }
    const std::string other = form.type == "get" ? "set" : "get";
    EXPECT_EQ(bench.iq(other, kCaller, kDemo, form.good).error(), "bad-request/modify");
  }
  // As they stand they are in order: the question is still open, and then answered.
  EXPECT_TRUE(bench.iq(forms[0].type, kCaller, kDemo, forms[0].good).ok());
  EXPECT_EQ(bench.iq(forms[1].type, kCaller, kDemo, forms[1].good).error(),
            "unexpected-request/wait");
  const std::string now = " expected-revision='" + bench.state(task).value("revision") + "'";
  EXPECT_TRUE(bench.set(kCaller, kDemo, with(forms[3].good, revision, now)).ok());
}

TEST(XmppChecklist, C13_064_WhatAnAdministratorAsksHasItsForm) {
  XmppBench bench;
  const std::string hash = hash_xml(bench.demo_hash());
  const std::string jid = " jid='demo@agents.example.test'";
  const std::string version = " version='1'";
  const auto addresses = [&] {
    std::vector<std::pair<std::string, std::string>> rows = {{jid, ""}, {jid, jid + " more='1'"}};
    for (const std::string_view bad :
         {"", "demo@agents.example.test/r", "xmpp:demo@agents.example.test", "agents.example.test",
          "@agents.example.test", "a@b@agents.example.test"}) {
      rows.emplace_back(jid, " jid='" + std::string(bad) + "'");
    }
    return rows;
  };
  const std::vector<std::pair<std::string, std::string>> versions = {
      {version, ""},
      {version, " version=''"},
      {version, " version='1 '"},
      {version, " version='" + std::string(65, '1') + "'"}};
  std::vector<Form> forms = {
      {"set", "<activate " + kApi + jid + version + ">" + hash + "</activate>", addresses()},
      {"set", "<deactivate " + kApi + jid + "/>", addresses()},
      {"get", "<registration-status " + kApi + jid + "/>", addresses()},
      {"set", "<remove-version " + kApi + jid + version + "/>", addresses()},
      {"set", "<remove-endpoint " + kApi + jid + "/>", addresses()},
  };
  for (const auto& row : versions) {
    forms[0].worse.push_back(row);
    forms[3].worse.push_back(row);
  }
  forms[0].worse.emplace_back(hash, "");
  forms[0].worse.emplace_back(hash, hash + hash);
  forms[0].worse.emplace_back("algo='sha-256'", "");
  forms[0].worse.emplace_back("</hash>", "=</hash>");
  for (std::size_t i = 1; i < forms.size(); ++i) {
    const std::string name = forms[i].good.substr(1, forms[i].good.find(' ') - 1);
    forms[i].worse.emplace_back("/>", "><more/></" + name + ">");
  }
  for (const Form& form : forms) {
    for (const auto& [part, by] : form.worse) {
      const std::string xml = with(form.good, part, by);
      const Reply refused = bench.iq(form.type, kAdmin, kGateway, xml);
      EXPECT_EQ(refused.error(), "bad-request/modify") << xml;
      EXPECT_EQ(bench.iq(form.type, kCaller, kGateway, xml).masked(), refused.masked()) << xml;
    }
  }
  EXPECT_TRUE(bench.iq("get", kAdmin, kGateway, forms[2].good).ok());  // nothing of it was done
  EXPECT_TRUE(bench.get(kCaller, kDemo, "<manifest-request " + kApi + "/>").ok());
}

TEST(XmppChecklist, C13_006_AndC13_062_AnEndpointIsRegisteredUnderItsPreparedAddress) {
  XmppBench bench;
  const auto enrol = [&](std::string_view jid) {
    return bench.set(
        kAdmin, kGateway,
        "<register " + kApi + "><manifest media-type='application/json'>" +
            escape_xml(R"({"manifestSpecVersion":"0","agent":{"jid":")" + std::string(jid) +
                       R"(","name":"desk","version":"1"},"tools":[]})") +
            "</manifest></register>");
  };
  for (const std::string_view bad :
       {"desk@agents.example.test/r", "xmpp:desk@agents.example.test", "agents.example.test", ""}) {
    EXPECT_EQ(enrol(bad).error(), "bad-request/modify") << bad;
  }
  EXPECT_EQ(enrol("desk@elsewhere.test").error(), "forbidden/auth");
  const Reply made = enrol("Desk@AGENTS.Example.test");
  ASSERT_TRUE(made.ok()) << made.bytes;
  EXPECT_EQ(made.value("jid"), kDesk);
  // The same version in another spelling of the address is another document.
  EXPECT_EQ(enrol(kDesk).error(), "conflict/cancel");
}

TEST(XmppChecklist, C13_023_AndC13_026_NodesThatThereAreNotAreNotFound) {
  XmppBench bench;
  for (const std::string_view kind : {"info", "items"}) {
    for (const std::string_view node :
         {"urn:xmpp:agent-directory:1", "urn:xmpp:agent-directory:0#1", "urn:other", "demo"}) {
      const std::string xml = "<query xmlns='http://jabber.org/protocol/disco#" +
                              std::string(kind) + "' node='" + std::string(node) + "'/>";
      EXPECT_EQ(bench.get(kCaller, kGateway, xml).error(), "item-not-found/cancel") << xml;
      EXPECT_EQ(bench.get(kCaller, kDemo, xml).error(), "item-not-found/cancel") << xml;
    }
    for (const std::string_view node :
         {"urn:xmpp:agent-endpoint:0", "urn:xmpp:agent-tools:0", "urn:xmpp:agent-tools:0#",
          "urn:xmpp:agent-tools:0#9", "urn:xmpp:agent-tool:0#1", "urn:xmpp:agent-tool:0#1#"}) {
      const std::string xml = "<query xmlns='http://jabber.org/protocol/disco#" +
                              std::string(kind) + "' node='" + std::string(node) + "'/>";
      EXPECT_EQ(bench.get(kCaller, kDemo, xml).error(), "item-not-found/cancel") << xml;
    }
  }
}

}  // namespace
}  // namespace interline::testing

// What is refused before the engine is asked, and in which form.
#include "control_bench.hpp"

namespace interline::testing {
namespace {

TEST(ControlRequests, OverAnotherConnectionThereIsNothing) {
  ControlBench bench;
  const Reply known = bench.ask_from_elsewhere("/v1/status");
  EXPECT_EQ(known.status, 404U);
  EXPECT_EQ(known.body, bench.ask_from_elsewhere("/v1/nothing").body);
}

TEST(ControlRequests, BodiesThatAreWrongAreMalformed) {
  ControlBench bench;
  for (const auto* const body :
       {"", "null", "[]", "{", "{}", R"({"endpoint":"demo"})", R"({"endpoint":1,"tool":"echo"})",
        R"({"endpoint":"","tool":"echo"})", R"({"endpoint":"demo","tool":"echo","tol":1})",
        R"({"endpoint":"demo","tool":"echo","requestKey":""})",
        R"({"endpoint":"demo","tool":"echo","requestKey":7})",
        R"({"endpoint":"demo","tool":"echo","deadline":"tomorrow"})",
        R"({"endpoint":"demo","tool":"echo","answerable":["telepathy"]})",
        R"({"endpoint":"demo","tool":"echo","answerable":"form"})"}) {
    const Reply reply = bench.post(kDaemon, "/v1/calls", body);
    EXPECT_EQ(reply.status, 400U) << body;
    EXPECT_EQ(reply.error(), "malformed") << body;
  }
}

TEST(ControlRequests, JsonThatIsNoIJsonIsNotAcceptable) {
  ControlBench bench;
  const Reply reply = bench.post(kDaemon, "/v1/calls",
                                 R"({"endpoint":"demo","tool":"echo","arguments":{"a":1,"a":2}})");
  EXPECT_EQ(reply.status, 422U);
  EXPECT_EQ(reply.error(), "not_acceptable");
}

TEST(ControlRequests, NoErrorRepeatsWhatItWasGiven) {
  ControlBench bench;
  for (const auto* const body :
       {R"({"endpoint":"demo","tool":"echo","SECRET":1})", R"({"endpoint":"SECRET","tool":"echo"})",
        R"({"endpoint":"demo","tool":"sleep","arguments":"SECRET"})"}) {
    EXPECT_EQ(bench.post(kDaemon, "/v1/calls", body).body.find("SECRET"), std::string::npos);
  }
}

TEST(ControlRequests, WhatIsTooLargeOrTooDeepIsAConstraint) {
  ControlBench bench;
  const std::string head = R"({"endpoint":"demo","tool":"echo","arguments":)";
  const std::string large = head + R"({"a":")" + std::string(262'144, 'x') + "\"}}";
  EXPECT_EQ(bench.post(kDaemon, "/v1/calls", large).status, 413U);
  const std::string beyond = std::string(300'000, ' ');
  const Reply refused = bench.post(kDaemon, "/v1/calls", beyond);
  EXPECT_EQ(refused.status, 413U);
  EXPECT_EQ(refused.error("reason"), "too_large");  // in our form, though the server refused it
  const std::string deep = head + "{\"a\":" + std::string(64, '[') + std::string(64, ']') + "}}";
  const Reply too_deep = bench.post(kDaemon, "/v1/calls", deep);
  EXPECT_EQ(too_deep.error(), "resource_constraint");
}

TEST(ControlRequests, AnAnswerHasOneForm) {
  ControlBench bench;
  const std::string task = bench.call(kDaemon, "ask");
  bench.until(kDaemon, task, "input_required");
  for (const auto* const body :
       {"", "{}", R"({"value":1,"action":"decline"})", R"({"action":"accept"})",
        R"({"action":"maybe"})", R"({"answers":[]})", R"({"answers":[{"question":"q"}]})",
        R"({"answers":[{"question":"q","action":"decline","value":1}]})",
        R"({"answers":[{"value":1}]})", R"({"answers":[1]})", R"({"answers":{}})",
        R"({"value":1,"expectedRevision":-1})", R"({"value":1,"request":5})"}) {
    const Reply reply = bench.post(kDaemon, "/v1/tasks/" + task + "/answer", body);
    EXPECT_EQ(reply.status, 400U) << body << reply.body;
  }
}

TEST(ControlRequests, QueriesThatAreWrongAreMalformed) {
  ControlBench bench;
  for (const auto* const query :
       {"limit=0", "limit=-1", "limit=x", "state=asleep", "state=completed,,", "since=yesterday",
        "after=x", "after=1.x", "after=.", "after="}) {
    EXPECT_EQ(bench.get(kDaemon, std::string("/v1/tasks?") + query).status, 400U) << query;
  }
  EXPECT_EQ(bench.get(kDaemon, "/v1/tasks?limit=99999").status, 200U);  // page_max of them
  const std::string task = bench.call(kDaemon, "echo");
  EXPECT_EQ(bench.get(kDaemon, "/v1/tasks/" + task + "/events?after=x").status, 400U);
}

TEST(ControlRequests, PathsAndMethodsThatAreNotHereAreSaidInOurForm) {
  ControlBench bench;
  const Reply nothing = bench.get(kDaemon, "/v2/status");
  EXPECT_EQ(nothing.status, 404U);
  EXPECT_EQ(nothing.error(), "not_found");
  const Reply method = bench.drop(kDaemon, "/v1/status");
  EXPECT_EQ(method.status, 405U);
  EXPECT_EQ(method.error(), "malformed");
}

TEST(ControlRequests, ATaskThatNobodyCouldHaveIsUnknown) {
  ControlBench bench;
  for (const auto* const id : {"x", "..%2f", "%00", "a%20b"}) {
    const unsigned status = bench.get(kDaemon, std::string("/v1/tasks/") + id).status;
    EXPECT_TRUE(status == 404 || status == 400) << id << " " << status;
  }
}

TEST(ControlRequests, TooManyAreRefusedWithTheTimeToWait) {
  ControlBench bench;
  Reply reply;
  for (int i = 0; i < 100'000 && reply.status != 429; ++i) {
    reply = bench.get(kDaemon, "/v1/endpoints");
  }
  EXPECT_EQ(reply.status, 429U);
  EXPECT_EQ(reply.error("reason"), "rate");
  EXPECT_NE(reply.body.find("retryAfter"), std::string::npos);
  EXPECT_NE(bench.get(kBin, "/v1/endpoints").status, 429U);  // a bucket each
}

TEST(ControlRequests, TheStatusSaysWhoAsksAndItsPartsToOperators) {
  ControlBench bench;
  const Reply own = bench.get(kRoot, "/v1/status");
  EXPECT_EQ(own.text("principal"), "local:root");
  EXPECT_EQ(own.text("title"), "Bench");
  EXPECT_NE(own.body.find("not connected"), std::string::npos);
  const Reply others = bench.get(kDaemon, "/v1/status");
  EXPECT_EQ(others.text("principal"), "local:daemon");
  EXPECT_EQ(others.json().root().find("parts"), nullptr);
}

}  // namespace
}  // namespace interline::testing

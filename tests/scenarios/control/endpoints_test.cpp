// Endpoints over the control socket: what one may see, and what administrators change.
#include "control_bench.hpp"

namespace interline::testing {
namespace {

std::string manifest(const std::string& address, const std::string& version) {
  return R"({"manifestSpecVersion":"0","agent":{"jid":")" + address +
         R"(","name":"news","version":")" + version +
         R"("},"tools":[{"name":"read","inputSchema":{"type":"object"}}]})";
}

TEST(ControlEndpoints, AUserListsWhatItMaySeeAndAnOperatorEverything) {
  ControlBench bench;
  const Reply seen = bench.get(kDaemon, "/v1/endpoints");
  EXPECT_EQ(seen.status, 200U);
  EXPECT_NE(seen.body.find("\"demo\""), std::string::npos);
  EXPECT_EQ(seen.body.find("\"hidden\""), std::string::npos);
  EXPECT_NE(bench.get(kRoot, "/v1/endpoints").body.find("\"hidden\""), std::string::npos);
}

TEST(ControlEndpoints, AnOperatorSeesWhatIsConfiguredAndHowItsAgentIs) {
  ControlBench bench;
  bench.configured = {{"broken", "Broken", "retrying", "python3: No such file"},
                      {"demo", "Demo", "imported", ""},
                      {"zebra", "", "refused", "its tools cannot be served"}};
  const auto names = [](const json::Value& page) {
    std::string all;
    for (const json::Value& row : page.find("endpoints")->items()) {
      const json::Value* state = row.find("state");
      const json::Value* why = row.find("why");
      all += std::string(row.find("name")->as_string()) + " " +
             (state == nullptr ? "" : std::string(state->as_string())) + " " +
             (why == nullptr ? "" : std::string(why->as_string())) + "\n";
    }
    return all;
  };
  const auto whole = bench.get(kRoot, "/v1/endpoints").json();
  EXPECT_EQ(names(whole.root()),
            "broken retrying python3: No such file\ndemo imported \nhidden  \npuppet  \n"
            "zebra refused its tools cannot be served\n");
  std::string paged;
  std::string after;
  for (int page = 0; page < 9; ++page) {
    const auto one = bench.get(kRoot, "/v1/endpoints?limit=1&after=" + after).json();
    paged += names(one.root());
    const json::Value* next = one.root().find("next");
    if (next == nullptr) break;
    after = next->as_string();
  }
  EXPECT_EQ(paged, names(whole.root()));
  const auto seen = bench.get(kDaemon, "/v1/endpoints").json();
  EXPECT_EQ(names(seen.root()).find("broken"), std::string::npos);
}

TEST(ControlEndpoints, AHiddenOneIsShownLikeOneThatIsNot) {
  ControlBench bench;
  const Reply hidden = bench.get(kDaemon, "/v1/endpoints/hidden");
  EXPECT_EQ(hidden.status, 404U);
  EXPECT_EQ(hidden.body, bench.get(kDaemon, "/v1/endpoints/nothing").body);
}

TEST(ControlEndpoints, OneIsShownWithItsToolsAndToOperatorsItsVersionsAndLosses) {
  ControlBench bench;
  const Reply seen = bench.get(kDaemon, "/v1/endpoints/demo");
  ASSERT_EQ(seen.status, 200U);
  EXPECT_EQ(seen.json().root().find("tools")->size(), 7U);
  EXPECT_EQ(seen.json().root().find("versions"), nullptr);
  const Reply whole = bench.get(kRoot, "/v1/endpoints/hidden");
  ASSERT_EQ(whole.status, 200U);
  EXPECT_EQ(whole.json().root().find("versions")->size(), 1U);
  EXPECT_EQ(whole.json().root().find("losses")->source(), "[]");
}

TEST(ControlEndpoints, OnlyAdministratorsChangeThem) {
  ControlBench bench;
  const std::string text = manifest("news@agents.example.test", "1");
  EXPECT_EQ(bench.post(kDaemon, "/v1/endpoints", text).status, 403U);
  EXPECT_EQ(bench.post(kDaemon, "/v1/endpoints", "{").status, 403U);
  const std::string version = R"({"version":"1"})";
  const Reply known = bench.post(kDaemon, "/v1/endpoints/demo/activate", version);
  EXPECT_EQ(known.status, 403U);
  EXPECT_EQ(known.body, bench.post(kDaemon, "/v1/endpoints/nothing/activate", version).body);
  EXPECT_EQ(bench.post(kDaemon, "/v1/endpoints/demo/deactivate").status, 403U);
  EXPECT_EQ(bench.drop(kDaemon, "/v1/endpoints/demo").status, 403U);
}

TEST(ControlEndpoints, AVersionIsRegisteredActivatedDeactivatedAndRemoved) {
  ControlBench bench;
  const Reply made = bench.post(kRoot, "/v1/endpoints", manifest("news@agents.example.test", "1"));
  ASSERT_EQ(made.status, 201U) << made.body;
  EXPECT_EQ(made.text("name"), "news");
  EXPECT_EQ(bench.get(kDaemon, "/v1/endpoints/news").status, 404U);  // not active
  EXPECT_EQ(bench.get(kRoot, "/v1/endpoints/news").text("version"), "1");

  const std::string hash = made.text("hash");
  EXPECT_EQ(
      bench.post(kRoot, "/v1/endpoints/news/activate", R"({"version":"1","hash":"AAAA"})").status,
      400U);
  EXPECT_EQ(
      bench.post(kRoot, "/v1/endpoints/news/activate", R"({"version":"1","hash":")" + hash + "\"}")
          .status,
      200U);
  EXPECT_EQ(bench.get(kDaemon, "/v1/endpoints/news").status, 200U);
  EXPECT_EQ(bench.drop(kRoot, "/v1/endpoints/news?version=1").status, 409U);  // active
  EXPECT_EQ(bench.post(kRoot, "/v1/endpoints/news/deactivate").status, 200U);
  EXPECT_EQ(bench.drop(kRoot, "/v1/endpoints/news?version=1").status, 200U);
  EXPECT_EQ(bench.post(kRoot, "/v1/endpoints/news/activate", R"({"version":"1"})").status, 404U);
}

TEST(ControlEndpoints, RegisteringAndActivatingIsOneRequestWhereAsked) {
  ControlBench bench;
  EXPECT_EQ(
      bench.post(kRoot, "/v1/endpoints?activate=true", manifest("news@agents.example.test", "1"))
          .status,
      201U);
  EXPECT_EQ(bench.get(kDaemon, "/v1/endpoints/news").text("version"), "1");
}

TEST(ControlEndpoints, AVersionIsImmutable) {
  ControlBench bench;
  const std::string first = manifest("news@agents.example.test", "1");
  std::string other = first;
  other.replace(other.find("\"read\""), 6, "\"look\"");
  EXPECT_EQ(bench.post(kRoot, "/v1/endpoints", first).status, 201U);
  EXPECT_EQ(bench.post(kRoot, "/v1/endpoints", first).status, 201U);
  EXPECT_EQ(bench.post(kRoot, "/v1/endpoints", other).status, 409U);
}

TEST(ControlEndpoints, AnAddressElsewhereNamesNoEndpointOfOurs) {
  ControlBench bench;
  const Reply made = bench.post(kRoot, "/v1/endpoints", manifest("demo@elsewhere.test", "2"));
  ASSERT_EQ(made.status, 201U) << made.body;
  EXPECT_EQ(made.text("name"), "demo@elsewhere.test");
  EXPECT_EQ(bench.get(kRoot, "/v1/endpoints/demo").json().root().find("versions")->size(), 1U);
  EXPECT_EQ(bench.get(kRoot, "/v1/endpoints/demo%40elsewhere.test").status, 200U);
}

TEST(ControlEndpoints, AManifestThatIsWrongIsSaidWhere) {
  ControlBench bench;
  EXPECT_EQ(bench.post(kRoot, "/v1/endpoints", "{").status, 400U);
  const Reply reply = bench.post(kRoot, "/v1/endpoints", R"({"manifestSpecVersion":"0"})");
  EXPECT_EQ(reply.status, 422U);
  EXPECT_FALSE(reply.error("message").empty());
}

}  // namespace
}  // namespace interline::testing

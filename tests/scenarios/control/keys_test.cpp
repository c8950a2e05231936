// API keys: made once, kept as hashes, gone when revoked.
#include "engine/keys.hpp"

#include <fstream>
#include <iterator>

#include "control_bench.hpp"

namespace interline::testing {
namespace {

std::string principal_of(ControlBench& bench, const std::string& secret) {
  const auto found =
      bench.bench().run(engine::principal_of_key(bench.bench().engine(), Secret(secret)));
  return found ? found->text() : std::string(to_string(found.error().kind));
}

TEST(ControlKeys, AreForOperators) {
  ControlBench bench;
  EXPECT_EQ(bench.post(kDaemon, "/v1/keys", R"({"name":"ci"})").status, 403U);
  EXPECT_EQ(bench.get(kDaemon, "/v1/keys").status, 403U);
  EXPECT_EQ(bench.drop(kDaemon, "/v1/keys/ci").status, 403U);
}

TEST(ControlKeys, AKeyIsItsNamesPrincipalUntilItIsRevoked) {
  ControlBench bench;
  const Reply made = bench.post(kRoot, "/v1/keys", R"({"name":"ci"})");
  ASSERT_EQ(made.status, 201U);
  const std::string secret = made.text("key");
  EXPECT_EQ(principal_of(bench, secret), "key:ci");

  const Reply listed = bench.get(kRoot, "/v1/keys");
  EXPECT_NE(listed.body.find("\"key:ci\""), std::string::npos);
  EXPECT_NE(listed.body.find("\"creator\":\"local:root\""), std::string::npos);
  EXPECT_EQ(listed.body.find(secret), std::string::npos);

  EXPECT_EQ(bench.drop(kRoot, "/v1/keys/ci").status, 200U);
  EXPECT_EQ(principal_of(bench, secret), "forbidden");
  EXPECT_EQ(bench.drop(kRoot, "/v1/keys/ci").status, 404U);
  EXPECT_EQ(bench.get(kRoot, "/v1/keys").body, "{\"keys\":[]}\n");
}

TEST(ControlKeys, ANameIsTakenOnceAndANewKeyOfItIsAnother) {
  ControlBench bench;
  const std::string first = bench.post(kRoot, "/v1/keys", R"({"name":"ci"})").text("key");
  EXPECT_EQ(bench.post(kRoot, "/v1/keys", R"({"name":"ci"})").status, 409U);
  bench.drop(kRoot, "/v1/keys/ci");
  const std::string second = bench.post(kRoot, "/v1/keys", R"({"name":"ci"})").text("key");
  EXPECT_NE(first, second);
  EXPECT_EQ(principal_of(bench, first), "forbidden");
  EXPECT_EQ(principal_of(bench, second), "key:ci");
}

TEST(ControlKeys, NamesThatAPatternCouldTakeForMoreAreRefused) {
  ControlBench bench;
  for (const auto* const name : {"*", "a*", "a b", "-a", "a:b", "\\u0000", ""}) {
    EXPECT_EQ(bench.post(kRoot, "/v1/keys", R"({"name":")" + std::string(name) + "\"}").status,
              400U)
        << name;
  }
  EXPECT_EQ(bench.post(kRoot, "/v1/keys", R"({"name":")" + std::string(65, 'a') + "\"}").status,
            400U);
}

TEST(ControlKeys, WhatIsNearlyTheKeyIsNone) {
  ControlBench bench;
  const std::string secret = bench.post(kRoot, "/v1/keys", R"({"name":"ci"})").text("key");
  std::string changed = secret;
  changed.back() = changed.back() == 'A' ? 'B' : 'A';
  for (const std::string& wrong :
       {changed, secret + "A", secret.substr(0, secret.size() - 1), secret.substr(3),
        secret.substr(0, secret.find('.') + 1), secret.substr(0, secret.find('.')),
        std::string("il_."), std::string("il_"), std::string(), std::string(100'000, 'x')}) {
    EXPECT_EQ(principal_of(bench, wrong), "forbidden") << wrong.substr(0, 100);
  }
}

TEST(ControlKeys, TheDiskNeverHoldsTheSecret) {
  ControlBench bench;
  const std::string secret = bench.post(kRoot, "/v1/keys", R"({"name":"ci"})").text("key");
  const std::string tail = secret.substr(secret.find('.') + 1);
  ASSERT_EQ(tail.size(), 43U);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(bench.bench().folder())) {
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    EXPECT_EQ(bytes.find(tail), std::string::npos) << entry.path();
    ++files;
  }
  EXPECT_GT(files, 0U);
}

}  // namespace
}  // namespace interline::testing

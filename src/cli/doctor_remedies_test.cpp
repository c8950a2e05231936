// What the doctor says to do, by what is the matter.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/doctor_checks.hpp"
#include "cli/gateway_verb.hpp"

namespace interline::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Verdict = Finding::Verdict;

app::Configuration with(app::EndpointTable endpoint) {
  app::Configuration configuration;
  configuration.directory = "/srv/gateway";
  endpoint.name = "agent";
  configuration.endpoints.push_back(std::move(endpoint));
  return configuration;
}
app::EndpointTable program() {
  app::EndpointTable endpoint;
  endpoint.runtime.kind = app::RuntimeKind::mcp;
  endpoint.runtime.command = {"npx", "-y", "some server"};
  return endpoint;
}
std::string remedy(const app::Configuration& configuration, ErrorKind kind) {
  return mend_of_import(configuration, configuration.endpoints.front(), kind);
}

TEST(Doctor_Remedies, OfAServerAtAUrlIsNoCommandToStart) {
  app::EndpointTable endpoint;
  endpoint.runtime.kind = app::RuntimeKind::mcp;
  endpoint.runtime.url = "https://mcp.example/mcp";
  const std::string mend = remedy(with(endpoint), ErrorKind::unavailable);
  EXPECT_THAT(mend, Not(HasSubstr("&&")));
  EXPECT_THAT(mend, HasSubstr("token_file"));
  EXPECT_THAT(mend, HasSubstr(" https://mcp.example/mcp"));
}

TEST(Doctor_Remedies, OfAProgramThatRefusesIsItsCommandByHand) {
  for (const ErrorKind kind : {ErrorKind::unavailable, ErrorKind::not_acceptable}) {
    EXPECT_THAT(remedy(with(program()), kind),
                HasSubstr("cd /srv/gateway && npx -y 'some server'\n"));
  }
}

TEST(Doctor_Remedies, OfToolsFromAFileIsThatFile) {
  app::EndpointTable endpoint = program();
  endpoint.tools = "/srv/tools.json";
  EXPECT_THAT(remedy(with(endpoint), ErrorKind::not_acceptable), HasSubstr("mend /srv/tools.json"));
  endpoint.manifest = "/srv/manifest.json";
  EXPECT_THAT(remedy(with(endpoint), ErrorKind::malformed), HasSubstr("mend /srv/manifest.json"));
}

TEST(Doctor_Remedies, OfACertificateFollowsTheReason) {
  app::HttpSection http;
  http.tls_certificate = "/srv/cert.pem";
  http.tls_key = "/srv/key.pem";
  EXPECT_THAT(mend_of_certificate(http, "key values mismatch"), HasSubstr("tls_key to the key"));
  EXPECT_THAT(mend_of_certificate(http, "no start line"), HasSubstr("-----BEGIN"));
  EXPECT_THAT(mend_of_certificate(http, "Permission denied"), HasSubstr("read /srv/cert.pem and"));
}

TEST(Doctor_Remedies, OfAnAddressFollowsTheReason) {
  EXPECT_THAT(mend_of_listening("192.0.2.1:80", "Cannot assign requested address"),
              HasSubstr("no such address"));
  EXPECT_THAT(mend_of_listening("*:80", "Permission denied"), HasSubstr("below 1024"));
  EXPECT_THAT(mend_of_listening("*:80", "Address already in use"), HasSubstr("ss -ltnp"));
}

TEST(Doctor_Remedies, OfAPublicUrlFollowsTheReason) {
  app::HttpSection http;
  http.listen = "127.0.0.1:8080";
  http.public_url = "https://agents.example";
  EXPECT_THAT(mend_of_public_url(http, "self-signed certificate"), HasSubstr("trust"));
  EXPECT_THAT(mend_of_public_url(http, "Connection refused"), HasSubstr("let a proxy pass"));
}

Findings parts(const std::string& text) {
  return part_findings(with(program()), parse_gateway_json(text)->root());
}

TEST(Doctor_Remedies, OfEndpointsOnAFullDiskIsTheDisk) {
  const Findings found = parts(
      R"([{"name":"database","working":false,"detail":"the disk is full: nothing new is taken"},)"
      R"({"name":"endpoint agent","working":false,"detail":"retrying: no space"}])");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].verdict, Verdict::wrong);
  EXPECT_THAT(found[0].mend, HasSubstr("make room"));
  EXPECT_EQ(found[1].verdict, Verdict::doubtful);
  EXPECT_THAT(found[1].mend, HasSubstr("database first"));
}

TEST(Doctor_Remedies, OfARefusedEndpointSaysThatItIsNotAskedAgain) {
  const Findings found =
      parts(R"([{"name":"database","working":true,"detail":"open"},)"
            R"({"name":"endpoint agent","working":false,"detail":"refused: it has no tools"}])");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[1].mend, HasSubstr("SIGHUP"));
  EXPECT_THAT(found[1].mend, HasSubstr("npx -y"));
}

TEST(Doctor_Remedies, AnAgentThatIsStillAskedIsNotWrong) {
  const Findings found =
      parts(R"([{"name":"endpoint agent","working":false,"detail":"importing"}])");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, Verdict::doubtful);
}

}  // namespace
}  // namespace interline::cli

// What the doctor says of a listener that other machines reach.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/doctor_checks.hpp"
#include "net/test_support.hpp"

namespace interline::cli {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using Verdict = Finding::Verdict;

app::Configuration listening(const std::string& listen) {
  app::Configuration configuration;
  configuration.http.listen = listen;
  return configuration;
}

TEST(Doctor_Exposure, IsDoubtfulWhereOtherMachinesSendKeysInPlainText) {
  for (const char* listen : {"*:8080", "0.0.0.0:8080", "[::]:8080", "192.0.2.1:8080"}) {
    const Findings found = exposure_findings(listening(listen));
    ASSERT_EQ(found.size(), 1U) << listen;
    EXPECT_EQ(found[0].verdict, Verdict::doubtful);
    EXPECT_THAT(found[0].text, HasSubstr("plain text"));
    EXPECT_THAT(found[0].mend, HasSubstr("tls_certificate"));
  }
}

TEST(Doctor_Exposure, IsNothingOnThisMachineOrUnderTls) {
  for (const char* listen : {"127.0.0.1:8080", "[::1]:8080", "localhost:8080", "off", ""}) {
    EXPECT_TRUE(exposure_findings(listening(listen)).empty()) << listen;
  }
  app::Configuration secure = listening("*:8443");
  secure.http.tls_certificate = "certificate.pem";
  EXPECT_TRUE(exposure_findings(secure).empty());
}

TEST(Doctor_Expiry, SaysTheDayOnWhichACertificateEnded) {
  const net::testing::TestCertificates files;  // for a day
  app::Configuration configuration = listening("*:8443");
  configuration.http.tls_certificate = files.server_certificate;
  const auto now = std::chrono::system_clock::now();
  EXPECT_TRUE(expiry_findings(configuration, now).empty());
  const Findings found = expiry_findings(configuration, now + 48h);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].verdict, Verdict::wrong);
  EXPECT_THAT(found[0].text, HasSubstr("expired on 20"));
}

}  // namespace
}  // namespace interline::cli

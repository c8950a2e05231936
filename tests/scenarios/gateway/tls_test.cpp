// TLS of the HTTP listener, with a certificate that changes while the gateway runs.
#include <signal.h>

#include <gtest/gtest.h>

#include "gateway_process.hpp"
#include "net/http/client.hpp"
#include "net/test_support.hpp"

namespace interline::testing {
namespace {

class Tls : public GatewayTest {
 protected:
  void use(const net::testing::TestCertificates& certificates) const {
    namespace fs = std::filesystem;
    const auto over = fs::copy_options::overwrite_existing;
    fs::copy_file(certificates.server_certificate, folder() / "tls.crt", over);
    fs::copy_file(certificates.server_key, folder() / "tls.key", over);
  }
  /// Of GET /healthz by somebody who trusts that authority; 0 where it is not the server's.
  unsigned status_for(const net::testing::TestCertificates& trusted) const {
    net::TlsClientOptions tls;
    tls.ca_file = trusted.authority;
    net::http::ClientOptions options;
    options.tls = *net::TlsContext::client(tls);
    net::asio::io_context context;
    net::http::Client client(context.get_executor(), options);
    const std::string port = address().substr(address().rfind(':'));
    net::http::FetchRequest request(net::http::Method::get,
                                    "https://localhost" + port + "/healthz");
    const auto response = net::testing::run(context, client.fetch(std::move(request)));
    return response ? response->status : 0;
  }
};

TEST_F(Tls, CertificateIsTakenOverOnHangup) {
  const net::testing::TestCertificates first;
  const net::testing::TestCertificates second;
  use(first);
  write("interline.toml",
        "[http]\nlisten = \"127.0.0.1:0\"\ntls_certificate = \"tls.crt\"\ntls_key = \"tls.key\"\n");
  start();
  EXPECT_EQ(status_for(first), 200U);
  EXPECT_EQ(status_for(second), 0U);
  use(second);
  signal(SIGHUP);
  until("the configuration was taken over");
  EXPECT_EQ(status_for(second), 200U);
  EXPECT_EQ(status_for(first), 0U);
}

TEST_F(Tls, CertificateThatCannotBeRead_LeavesTheOldOneInUse) {
  const net::testing::TestCertificates certificates;
  use(certificates);
  write("interline.toml",
        "[http]\nlisten = \"127.0.0.1:0\"\ntls_certificate = \"tls.crt\"\ntls_key = \"tls.key\"\n");
  start();
  write("tls.crt", "nothing of the kind");
  signal(SIGHUP);
  until("the old one stays in use");
  EXPECT_EQ(status_for(certificates), 200U);
}

}  // namespace
}  // namespace interline::testing

// Real XMPP servers and clients for tests, by the programs in tests/support.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "net/process.hpp"
#include "net/test_support.hpp"

namespace interline::xmpp::testing {

/// Prosody or ejabberd, with accounts alice and bob and the component agents.example.test. Ends
/// with this object.
class LiveServer {
 public:
  /// `program` of tests/support: "prosody" or "ejabberd". Throws if it does not start.
  explicit LiveServer(const std::string& program, std::vector<std::string> options = {});
  ~LiveServer();

  static constexpr std::string_view kSecret = "component-secret";
  [[nodiscard]] std::string address(std::string_view port) const;
  [[nodiscard]] const std::string& certificate() const { return certificate_; }
  [[nodiscard]] bool running() const { return running_; }

  /// "start", "stop", "kill", "pause" or "resume"; returns once that is done.
  void command(std::string_view word);

  /// The command line of tests/support/xmpp_iq as that account, from its address on.
  [[nodiscard]] std::vector<std::string> client(std::string_view user) const;

 private:
  void read_description();

  net::asio::io_context context_{1};
  net::testing::TemporaryFolder folder_;
  std::unique_ptr<net::Process> process_;
  std::string description_;
  std::string certificate_;
  bool running_ = false;
};

/// How a program ended.
struct Ended {
  int code = -1;
  std::string output;
};

/// Runs a program beside the test; `ended` tells when it is through.
net::awaitable<void> run_program(net::Executor executor, std::vector<std::string> command,
                                 std::shared_ptr<std::optional<Ended>> ended);

}  // namespace interline::xmpp::testing

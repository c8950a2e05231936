// The program itself, `interline serve`, in a folder of its own: started, asked over HTTP and over
// its Unix socket, signalled, killed. Whatever a test waits for is read from the gateway's log or
// asked from it; nothing waits for time to pass.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <sys/types.h>

#include <gtest/gtest.h>

namespace interline::testing {

struct Reply {
  int status = 0;  ///< 0: no connection, or no answer
  std::string head;
  std::string body;
};

class GatewayTest : public ::testing::Test {
 protected:
  GatewayTest();
  ~GatewayTest() override;
  /// What still runs is told to end, and has to do that in good order.
  void TearDown() override;

  void write(const std::string& name, const std::string& text) const;
  /// interline.toml: `[http] listen` on a free port, everything granted to local users, then
  /// `more`.
  void configure(const std::string& more) const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  /// Starts `interline serve` and returns once it runs; a test failure if it does not.
  void start();
  /// Starts it without waiting for anything.
  void launch();
  /// Reads the log until a line holds all that; returns the line. Fails the test at its end.
  std::string until(std::string_view text, std::string_view and_that = "");
  void signal(int number) const;
  /// Its exit code, or 128 + the signal that ended it; the log is read to its end.
  int wait();
  [[nodiscard]] const std::string& log() const { return log_; }

  /// Of its HTTP listener, host:port.
  [[nodiscard]] const std::string& address() const { return address_; }
  /// GET over TCP.
  [[nodiscard]] Reply get(const std::string& target, const std::string& more_fields = "") const;
  /// Any request over the Unix socket.
  [[nodiscard]] Reply local(const std::string& method, const std::string& target,
                            const std::string& body = "") const;
  /// Calls a tool over the Unix socket; the task's id.
  [[nodiscard]] std::string call(const std::string& endpoint, const std::string& tool,
                                 const std::string& arguments = "{}") const;
  /// Follows a task until an entry of its log is in that state.
  void follow_until(const std::string& task, const std::string& state) const;
  /// The task as it is, JSON text.
  [[nodiscard]] std::string task(const std::string& id) const;
  /// What /readyz says, at the latest after that time.
  std::string ready_text(int wait_seconds) const;

 private:
  void read_more();

  std::filesystem::path folder_;
  pid_t process_ = -1;
  int log_end_ = -1;      // where its standard error is read
  std::string log_;       // all of it so far
  std::size_t seen_ = 0;  // up to here until() has looked
  std::string address_;
};

/// `interline VERB...` to its end.
struct Ended {
  int code = -1;
  std::string out;
  std::string err;
};
[[nodiscard]] Ended run_program(const std::string& arguments, const std::filesystem::path& folder);

}  // namespace interline::testing

// An MCP host as far as `interline mcp` can see: starts the program and speaks to it by lines.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "mcp_client.hpp"

namespace interline::testing {

class StdioClient {
 public:
  /// `interline mcp ARGUMENTS` in the folder.
  explicit StdioClient(const std::filesystem::path& folder,
                       const std::vector<std::string>& arguments = {});
  /// What still runs is killed.
  ~StdioClient();
  StdioClient(const StdioClient&) = delete;
  StdioClient& operator=(const StdioClient&) = delete;

  /// With its line's end. False: nobody reads it any more.
  bool send(std::string_view line) const;
  bool send(const McpRequest& request) const { return send(body_of(request)); }
  void write(std::string_view bytes) const;

  /// The next line; "" at the end of the output. Fails the test where that never comes.
  std::string next();
  /// The next one for which it holds; what came before is in heard().
  std::string until(const std::function<bool(const std::string&)>& wanted);
  /// The answer to a request, by its id's JSON text.
  std::string answer(std::string_view id);
  /// Sends, and reads the answer.
  std::string ask(const McpRequest& request);
  /// Everything that was read, in its order.
  [[nodiscard]] const std::vector<std::string>& heard() const { return heard_; }

  void close_input();
  void close_output();
  void signal(int number) const;
  /// Reads both outputs to their end, and waits for the process.
  Ended wait();

 private:
  bool read_more();

  pid_t process_ = -1;
  int input_ = -1;
  int output_ = -1;
  std::filesystem::path errors_;
  std::string unread_;
  std::vector<std::string> heard_;
};

/// A JSON-RPC request or notification (`id` "") of a revision before 2026-07-28.
[[nodiscard]] std::string legacy_line(const std::string& method, const std::string& params = "{}",
                                      const std::string& id = "");

class StdioTest : public McpTest {
 protected:
  /// Opens a legacy session and says that it is ready; the answer to `initialize`.
  static std::string open(StdioClient& client, const std::string& version = "2025-11-25",
                          const std::string& capabilities = "{}");
  /// The only task that there is.
  [[nodiscard]] std::string only_task() const;
};

}  // namespace interline::testing

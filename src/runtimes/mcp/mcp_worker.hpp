// One MCP server process: the handshake, calls by JSON-RPC ids, and what the server asks of us.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "json/value.hpp"
#include "protocols/jsonrpc/message.hpp"
#include "protocols/mcp/client.hpp"
#include "runtimes/process_worker.hpp"

namespace interline::runtimes::mcp {

struct McpLimits {
  std::size_t tools = 10'000;
  std::size_t pages = 1'000;
  bool asks = false;  ///< elicitation is offered
};

class McpWorker final : public ProcessWorker {
 public:
  McpWorker(Setup setup, const McpLimits& limits)
      : ProcessWorker(std::move(setup)), limits_(limits) {}

 private:
  using Message = protocols::jsonrpc::Message;

  // The language, for ProcessWorker.
  void open() override;
  [[nodiscard]] net::awaitable<void> take_line(std::string_view line) override;
  void take_cut_line(const net::Line& line) override;
  [[nodiscard]] bool write_call(const std::string& handle, Call& call) override;
  void write_cancel(const std::string& handle, const Call& call) override;
  [[nodiscard]] bool write_answer(const std::string& handle, const Call& call,
                                  const tasks::Answer& answer) override;
  void write_list() override;
  [[nodiscard]] bool cancel_ends_call() const override { return true; }
  [[nodiscard]] bool ends_with_its_input() const override { return true; }

  // Messages.
  [[nodiscard]] net::awaitable<void> take_message(const json::Value& root, std::size_t bytes);
  void take_answer(const Message& message);
  void take_initialized(const Message& message);
  void take_page(const Message& message);
  void take_tool(const json::Value& tool);
  void take_call_end(const std::string& handle, const Message& message);
  void take_request(const Message& message);
  void take_notification(const Message& message, std::size_t bytes);
  void take_progress(const Message& message, std::size_t bytes);
  void take_log(const Message& message, std::size_t bytes);
  void elicit(const Message& message);
  void lost(std::string_view id, const tasks::Failure& failure);
  void give_up(std::string_view why);
  void ask_page(std::string_view cursor);
  /// The call that messages without a name belong to; "" if there is not exactly one.
  [[nodiscard]] std::string only_call() const;
  [[nodiscard]] std::string handle_of(std::string_view id) const;

  const McpLimits limits_;
  protocols::mcp::ServerHello hello_;
  std::uint64_t last_id_ = 0;
  std::uint64_t initialize_id_ = 0;  ///< 0: not waited for
  std::uint64_t list_id_ = 0;        ///< 0: not waited for
  std::size_t pages_ = 0;
  engine::ImportedTools tools_;                 ///< of the pages so far
  std::map<std::string, std::string> by_id_;    ///< id of a call in work -> its handle
  std::map<std::string, std::string> elicits_;  ///< key of an open question -> the server's id
};

}  // namespace interline::runtimes::mcp

// One process that speaks the exec protocol (protocol.hpp).
#pragma once

#include <string>
#include <string_view>

#include "runtimes/exec/protocol.hpp"
#include "runtimes/process_worker.hpp"

namespace interline::runtimes::exec {

class ExecWorker final : public ProcessWorker {
 public:
  using ProcessWorker::ProcessWorker;

 private:
  void open() override { set_ready(); }
  [[nodiscard]] net::awaitable<void> take_line(std::string_view line) override;
  [[nodiscard]] bool take_cut_line(const net::Line& line) override;
  [[nodiscard]] bool write_call(const std::string& handle, Call& call) override;
  void write_cancel(const std::string& handle, const Call& call) override;
  [[nodiscard]] bool write_answer(const std::string& handle, const Call& call,
                                  const tasks::Answer& answer) override;
  void write_list() override;

  void take_tools(ToolsMessage message);
  void take_broken(std::string_view line, const Error& error);
  void report(const std::string& handle, Body body);
  void end_call(const std::string& handle, Body body);
  void ask(const std::string& handle, AskMessage message);
};

}  // namespace interline::runtimes::exec

#include "live_server.hpp"

#include <stdexcept>
#include <utility>

#include "json/parse.hpp"

namespace interline::xmpp::testing {
namespace {

const std::string kSupport = INTERLINE_SOURCE_DIR "/tests/support/";

net::awaitable<std::string> next_line(net::Process& process) {
  auto line = co_await process.read_line();
  if (!line || !*line) co_return "";
  co_return (*line)->text;
}

}  // namespace

LiveServer::LiveServer(const std::string& program, std::vector<std::string> options) {
  net::ProcessOptions start;
  start.program.command = {kSupport + program, folder_.file("server")};
  start.program.command.insert(start.program.command.end(), options.begin(), options.end());
  std::string errors;
  start.on_error_line = [&](std::string_view line) { errors.append(line).append("\n"); };
  process_ = net::Process::start(context_.get_executor(), start).value();
  read_description();
  if (!running_) throw std::runtime_error(program + " does not start: " + errors);
}

LiveServer::~LiveServer() {
  process_->close_input();
  auto wait = [](net::Process& process) -> net::awaitable<void> { co_await process.wait(); };
  net::testing::run(context_, wait(*process_));
}

void LiveServer::command(std::string_view word) {
  (void)process_->post_line(word);
  read_description();
}

void LiveServer::read_description() {
  description_ = net::testing::run(context_, next_line(*process_));
  const auto parsed = json::parse(description_);
  running_ = parsed && parsed->root().find("running") && parsed->root().find("running")->as_bool();
  if (parsed && parsed->root().find("certificate")) {
    certificate_ = parsed->root().find("certificate")->as_string();
  }
}

std::string LiveServer::address(std::string_view port) const {
  const auto parsed = json::parse(description_);
  return "127.0.0.1:" + std::string(parsed->root().find("ports")->find(port)->source());
}

std::vector<std::string> LiveServer::client(std::string_view user) const {
  return {kSupport + "xmpp_iq",
          "--jid",
          std::string(user) + "@example.test/test",
          "--password",
          "pw-" + std::string(user),
          "--server",
          address("c2s"),
          "--certificate",
          certificate()};
}

net::awaitable<void> run_program(net::Executor executor, std::vector<std::string> command,
                                 std::shared_ptr<std::optional<Ended>> ended) {
  Ended result;
  net::ProcessOptions start;
  start.program.command = std::move(command);
  start.on_error_line = [&](std::string_view line) { result.output.append(line).append("\n"); };
  auto process = net::Process::start(executor, start).value();
  for (;;) {
    auto line = co_await process->read_line();
    if (!line || !*line) break;
    result.output += (*line)->text + "\n";
  }
  const net::ExitStatus status = co_await process->wait();
  result.code = status.signal == 0 ? status.code : 128 + status.signal;
  ended->emplace(std::move(result));
}

}  // namespace interline::xmpp::testing

#include "gateway_process.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <signal.h>
#include <unistd.h>
#include <vector>

#include <sys/wait.h>

#include "http_exchange.hpp"

namespace interline::testing {
namespace {

// The program is stuck, not slow: generous, since a sanitizer on a busy machine is slow indeed.
constexpr int kStuckAfterMs = 120'000;

const std::string kProgram = INTERLINE_BINARY_DIR "/interline";

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Reply ask(const std::string& address, const std::string& request) {
  Reply reply;
  exchange(address, request, [&reply](const std::string& all) {
    const auto end = all.find("\r\n\r\n");
    if (end == std::string::npos) return true;
    reply.head = all.substr(0, end);
    reply.body = all.substr(end + 4);
    return true;
  });
  if (reply.head.size() > 12) std::from_chars(&reply.head[9], &reply.head[12], reply.status);
  return reply;
}

std::string request_text(const std::string& method, const std::string& target,
                         const std::string& more_fields, const std::string& body) {
  return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
         more_fields + "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace

GatewayTest::GatewayTest() {
  std::string name = ::testing::TempDir() + "interline-gateway-XXXXXX";
  folder_ = ::mkdtemp(name.data());
}

GatewayTest::~GatewayTest() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    wait();
  }
  if (HasFailure()) ADD_FAILURE() << "the gateway's log:\n" << log_;
  std::filesystem::remove_all(folder_);
}

void GatewayTest::TearDown() {
  if (process_ < 0) return;
  signal(SIGTERM);
  EXPECT_EQ(wait(), 0);
}

void GatewayTest::write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

void GatewayTest::configure(const std::string& more) const {
  write("interline.toml",
        "[http]\nlisten = \"127.0.0.1:0\"\n"
        "[[grant]]\nprincipals = [\"local:*\"]\nendpoints = [\"*\"]\nvisible = true\n"
        "invoke = [\"*\"]\n" +
            more);
}

// --- the process --------------------------------------------------------------------------------

void GatewayTest::launch() {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::dup2(pipe[1], STDERR_FILENO);
    const bool there = ::chdir(folder_.c_str()) == 0;
    if (there) ::execl(kProgram.c_str(), "interline", "serve", nullptr);
    ::_exit(127);
  }
  ::close(pipe[1]);
  process_ = child;
  log_end_ = pipe[0];
}

void GatewayTest::start() {
  const std::size_t begin_of_log = log_.size();
  seen_ = begin_of_log;
  launch();
  const std::string line = until("serving HTTP", "address=");
  const auto begin = line.find("address=") + 8;
  address_ = line.substr(begin, line.find(' ', begin) - begin);
  until("the gateway runs");
  seen_ = begin_of_log;  // an endpoint may have been served before that line
}

/// One piece of the log, or its end: then log_end_ is closed.
void GatewayTest::read_more() {
  pollfd ready{log_end_, POLLIN, 0};
  if (::poll(&ready, 1, kStuckAfterMs) == 0) {
    ADD_FAILURE() << "the gateway is stuck";
    ::kill(process_, SIGKILL);
  }
  std::array<char, 4'096> buffer{};
  const ssize_t got = ::read(log_end_, buffer.data(), buffer.size());
  if (got > 0) {
    log_.append(buffer.data(), static_cast<std::size_t>(got));
    return;
  }
  ::close(log_end_);
  log_end_ = -1;
}

std::string GatewayTest::until(std::string_view text, std::string_view and_that) {
  for (;;) {
    for (auto end = log_.find('\n', seen_); end != std::string::npos;
         end = log_.find('\n', seen_)) {
      const std::string line = log_.substr(seen_, end - seen_);
      seen_ = end + 1;
      if (line.find(text) != std::string::npos && line.find(and_that) != std::string::npos) {
        return line;
      }
    }
    if (log_end_ < 0) {
      ADD_FAILURE() << "the log ended without \"" << text << "\" \"" << and_that << "\"";
      return {};
    }
    read_more();
  }
}

void GatewayTest::signal(int number) const {
  ASSERT_GT(process_, 0);
  ::kill(process_, number);
}

int GatewayTest::wait() {
  while (log_end_ >= 0) read_more();
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Ended run_program(const std::string& arguments, const std::filesystem::path& folder) {
  const std::string command =
      "cd " + folder.string() + " && " + kProgram + " " + arguments + " >.out 2>.err </dev/null";
  Ended ended;
  const int status = std::system(command.c_str());
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ended.out = read_file(folder / ".out");
  ended.err = read_file(folder / ".err");
  return ended;
}

// --- asking it ----------------------------------------------------------------------------------

Reply GatewayTest::get(const std::string& target, const std::string& more_fields) const {
  return ask(address_, request_text("GET", target, more_fields, ""));
}

Reply GatewayTest::local(const std::string& method, const std::string& target,
                         const std::string& body) const {
  return ask("unix:" + (folder_ / "var/interline.sock").string(),
             request_text(method, target, "", body));
}

std::string GatewayTest::call(const std::string& endpoint, const std::string& tool,
                              const std::string& arguments) const {
  const Reply reply = local("POST", "/v1/calls",
                            R"({"endpoint":")" + endpoint + R"(","tool":")" + tool +
                                R"(","arguments":)" + arguments + "}");
  const auto begin = reply.body.find(R"("task":")");
  if (begin == std::string::npos) {
    ADD_FAILURE() << "not admitted: " << reply.head << "\n" << reply.body;
    return {};
  }
  return reply.body.substr(begin + 8, reply.body.find('"', begin + 8) - begin - 8);
}

std::string GatewayTest::task(const std::string& id) const {
  return local("GET", "/v1/tasks/" + id).body;
}

void GatewayTest::follow_until(const std::string& task, const std::string& state) const {
  const std::string wanted = R"("state":")" + state + '"';
  bool found = false;
  std::string last;
  exchange("unix:" + (folder_ / "var/interline.sock").string(),
           request_text("GET", "/v1/tasks/" + task + "/events", "", ""),
           [&](const std::string& all) {
             found = all.find(wanted) != std::string::npos;
             last = all;
             return !found;
           });
  EXPECT_TRUE(found) << "the task never was " << state << ": " << last;
}

std::string GatewayTest::ready_text(int wait_seconds) const {
  return get("/readyz?wait=" + std::to_string(wait_seconds)).body;
}

}  // namespace interline::testing

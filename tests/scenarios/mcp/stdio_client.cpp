#include "stdio_client.hpp"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <unistd.h>

#include <sys/wait.h>

namespace interline::testing {
namespace {

// The program is stuck, not slow.
constexpr int kStuckAfterMs = 240'000;

const std::string kProgram = INTERLINE_BINARY_DIR "/interline";

void run(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
         const std::filesystem::path& errors) {
  const int error_file = ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(error_file, STDERR_FILENO);
  if (::chdir(folder.c_str()) != 0) return;
  std::vector<std::string> words = {"interline", "mcp"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(kProgram.c_str(), pointers.data());
}

}  // namespace

StdioClient::StdioClient(const std::filesystem::path& folder,
                         const std::vector<std::string>& arguments) {
  static int count = 0;
  errors_ = folder / (".mcp-" + std::to_string(++count));
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> in{};
  std::array<int, 2> out{};
  EXPECT_EQ(::pipe2(in.data(), O_CLOEXEC), 0);
  EXPECT_EQ(::pipe2(out.data(), O_CLOEXEC), 0);
  process_ = ::fork();
  if (process_ == 0) {
    ::dup2(in[0], STDIN_FILENO);
    ::dup2(out[1], STDOUT_FILENO);
    run(folder, arguments, errors_);
    ::_exit(127);
  }
  ::close(in[0]);
  ::close(out[1]);
  input_ = in[1];
  output_ = out[0];
}

StdioClient::~StdioClient() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    wait();
  }
}

void StdioClient::write(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t written = ::write(input_, bytes.data(), bytes.size());
    if (written < 0) return;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool StdioClient::send(std::string_view line) const {
  std::string text(line);
  text += '\n';
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t written = ::write(input_, rest.data(), rest.size());
    if (written < 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

bool StdioClient::read_more() {
  if (output_ < 0) return false;
  pollfd ready{output_, POLLIN, 0};
  if (::poll(&ready, 1, kStuckAfterMs) == 0) {
    ADD_FAILURE() << "interline mcp is stuck; unread: " << unread_.substr(0, 200);
    ::kill(process_, SIGKILL);
  }
  std::array<char, 65'536> buffer{};
  const ssize_t got = ::read(output_, buffer.data(), buffer.size());
  if (got > 0) unread_.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0;
}

std::string StdioClient::next() {
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    const std::size_t had = unread_.size();
    if (!read_more()) return {};
    end = unread_.find('\n', had);
  }
  std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  heard_.push_back(line);
  return line;
}

std::string StdioClient::until(const std::function<bool(const std::string&)>& wanted) {
  for (;;) {
    std::string line = next();
    if (line.empty()) {
      ADD_FAILURE() << "the output ended before what was waited for";
      return line;
    }
    if (wanted(line)) return line;
  }
}

std::string StdioClient::answer(std::string_view id) {
  return until([id](const std::string& line) {
    return at(line, "/id") == id && at(line, "/method").empty();
  });
}

std::string StdioClient::ask(const McpRequest& request) {
  EXPECT_TRUE(send(request));
  return answer(request.id);
}

void StdioClient::close_input() {
  if (input_ >= 0) ::close(input_);
  input_ = -1;
}

void StdioClient::close_output() {
  if (output_ >= 0) ::close(output_);
  output_ = -1;
}

void StdioClient::signal(int number) const {
  ::kill(process_, number);
}

Ended StdioClient::wait() {
  Ended ended;
  while (read_more()) {
  }
  ended.out = unread_;
  int status = 0;
  ::waitpid(process_, &status, 0);
  process_ = -1;
  close_input();
  close_output();
  ended.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  std::ifstream file(errors_, std::ios::binary);
  ended.err.assign(std::istreambuf_iterator<char>(file), {});
  return ended;
}

std::string legacy_line(const std::string& method, const std::string& params,
                        const std::string& id) {
  const std::string named = id.empty() ? "" : R"("id":)" + id + ",";
  return R"({"jsonrpc":"2.0",)" + named + R"("method":")" + method + R"(","params":)" + params +
         "}";
}

std::string StdioTest::open(StdioClient& client, const std::string& version,
                            const std::string& capabilities) {
  client.send(legacy_line("initialize",
                          R"({"protocolVersion":")" + version + R"(","capabilities":)" +
                              capabilities + R"(,"clientInfo":{"name":"test","version":"1"}})",
                          R"("open")"));
  std::string opened = client.answer(R"("open")");
  client.send(legacy_line("notifications/initialized"));
  return opened;
}

std::string StdioTest::only_task() const {
  const std::string tasks = local("GET", "/v1/tasks").body;
  EXPECT_EQ(at(tasks, "/total"), "1") << tasks;
  return unquoted(at(tasks, "/tasks/0/id"));
}

}  // namespace interline::testing

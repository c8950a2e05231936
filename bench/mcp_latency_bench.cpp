// What the gateway adds to one call of an MCP server over standard input and output: echo of the
// same server, started here and called directly, and behind the gateway, called over HTTP. One call
// at a time, the two in turns, both by plain blocking reads and writes, so that what the client
// itself costs is next to nothing. bench/mcp/latency starts what it needs.
//
//   mcp_latency_bench HOST PORT PATH TOKEN CALLS ROUNDS COMMAND...
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <netdb.h>
#include <signal.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include <sys/socket.h>
#include <sys/wait.h>

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kCall =
    R"("method":"tools/call","params":{"name":"echo","arguments":{"message":"hello"})";
constexpr std::string_view kMeta =
    R"(,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
    R"("io.modelcontextprotocol/clientCapabilities":{},)"
    R"("io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1"}})";

void write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(descriptor, bytes.data(), bytes.size());
    if (written <= 0) throw std::runtime_error("cannot write");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// What has been read and not been used yet.
class Input {
 public:
  explicit Input(int descriptor) : descriptor_(descriptor) {}

  /// Up to and with the end that is searched for.
  std::string until(std::string_view end) {
    for (;;) {
      const auto at = waiting_.find(end);
      if (at != std::string::npos) return take(at + end.size());
      more();
    }
  }

  std::string exactly(std::size_t bytes) {
    while (waiting_.size() < bytes) more();
    return take(bytes);
  }

 private:
  std::string take(std::size_t bytes) {
    auto taken = waiting_.substr(0, bytes);
    waiting_.erase(0, bytes);
    return taken;
  }

  void more() {
    char block[16 * 1024];
    const auto got = ::read(descriptor_, block, sizeof block);
    if (got <= 0) throw std::runtime_error("the other side has ended");
    waiting_.append(block, static_cast<std::size_t>(got));
  }

  int descriptor_;
  std::string waiting_;
};

/// The server itself, as a host starts it.
class Direct {
 public:
  explicit Direct(std::vector<char*> command) {
    int to[2];
    int from[2];
    if (::pipe(to) != 0 || ::pipe(from) != 0) throw std::runtime_error("no pipes");
    child_ = ::fork();
    if (child_ == 0) {
      ::dup2(to[0], STDIN_FILENO);
      ::dup2(from[1], STDOUT_FILENO);
      for (const int one : {to[0], to[1], from[0], from[1]}) ::close(one);
      command.push_back(nullptr);
      ::execvp(command.front(), command.data());
      std::_Exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    write_ = to[1];
    input_ = Input(from[0]);
    ask(R"("method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},)"
        R"("clientInfo":{"name":"bench","version":"1"}})");
    write_all(write_, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
  }
  Direct(const Direct&) = delete;
  Direct& operator=(const Direct&) = delete;
  ~Direct() {
    ::close(write_);
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

  std::string call() { return ask(std::string(kCall) + "}"); }

 private:
  std::string ask(std::string_view rest) {
    const auto id = "\"id\":" + std::to_string(++id_);
    write_all(write_, R"({"jsonrpc":"2.0",)" + id + "," + std::string(rest) + "}\n");
    for (;;) {
      auto line = input_.until("\n");
      if (line.find("\"method\"") == std::string::npos && line.find(id) != std::string::npos) {
        return line;
      }
    }
  }

  pid_t child_ = 0;
  int write_ = -1;
  Input input_{-1};
  int id_ = 0;
};

/// The same server behind the gateway, over one connection that is kept.
class Through {
 public:
  Through(const char* host, const char* port, std::string_view path, std::string_view token) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host, port, &hints, &found) != 0) throw std::runtime_error("no such host");
    socket_ = ::socket(found->ai_family, SOCK_STREAM, 0);
    const int connected = ::connect(socket_, found->ai_addr, found->ai_addrlen);
    ::freeaddrinfo(found);
    if (connected != 0) throw std::runtime_error("cannot connect");
    input_ = Input(socket_);
    const auto body =
        R"({"jsonrpc":"2.0","id":1,)" + std::string(kCall) + std::string(kMeta) + "}}";
    request_ = "POST " + std::string(path) + " HTTP/1.1\r\nHost: " + host + ":" + port +
               "\r\nAuthorization: Bearer " + std::string(token) +
               "\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream"
               "\r\nMCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: echo"
               "\r\nContent-Length: " +
               std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  Through(const Through&) = delete;
  Through& operator=(const Through&) = delete;
  ~Through() { ::close(socket_); }

  std::string call() {
    write_all(socket_, request_);
    const auto head = input_.until("\r\n\r\n");
    constexpr std::string_view kLength = "Content-Length: ";
    const auto at = head.find(kLength);
    if (at == std::string::npos) throw std::runtime_error("an answer without a length: " + head);
    return input_.exactly(std::stoul(head.substr(at + kLength.size())));
  }

 private:
  int socket_ = -1;
  Input input_{-1};
  std::string request_;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <class Peer>
double median_call(Peer& peer, int calls) {
  std::vector<double> taken;
  for (int i = 0; i < calls; ++i) {
    const auto began = Clock::now();
    const auto answer = peer.call();
    taken.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
    if (answer.find("hello") == std::string::npos) {
      throw std::runtime_error("a wrong answer: " + answer);
    }
  }
  return median(std::move(taken));
}

void run(char** arguments, int count) {
  const int calls = std::atoi(arguments[5]);
  const int rounds = std::atoi(arguments[6]);
  Direct direct(std::vector<char*>(arguments + 7, arguments + count));
  Through through(arguments[1], arguments[2], arguments[3], arguments[4]);
  median_call(direct, calls);  // both have seen these calls before they are timed
  median_call(through, calls);
  std::vector<double> alone;
  std::vector<double> behind;
  std::vector<double> added;
  for (int i = 0; i < rounds; ++i) {
    alone.push_back(median_call(direct, calls));
    behind.push_back(median_call(through, calls));
    added.push_back(behind.back() - alone.back());
  }
  std::printf("direct p50 %.3f ms, through the gateway %.3f ms: %.3f ms added\n", median(alone),
              median(behind), median(added));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 8) {
    std::fputs("mcp_latency_bench HOST PORT PATH TOKEN CALLS ROUNDS COMMAND...\n", stderr);
    return 2;
  }
  try {
    run(arguments, count);
  } catch (const std::exception& failed) {
    std::fprintf(stderr, "%s\n", failed.what());
    return 1;
  }
  return 0;
}

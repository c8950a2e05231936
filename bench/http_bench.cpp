// Our server beside nginx: the same small body over kept connections to the same wrk, in turns.
// Requests a second, and the CPU time that the server spends on a request, which does not depend on
// what else the machine does. Usage: http_bench [ROUNDS [SECONDS]]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <sys/resource.h>

#include "net/http/client.hpp"
#include "net/http/server.hpp"
#include "net/process.hpp"
#include "net/tcp_stream.hpp"

namespace net = interline::net;
namespace http = interline::net::http;

namespace {

constexpr std::size_t kThreads = 2;  // ours and nginx's workers
constexpr int kConnections = 32;
constexpr std::string_view kBody =
    "{\"status\":\"ok\",\"padding\":\"0123456789012345678901234567890123456789\"}\n";

net::awaitable<void> answer(http::Request&, http::Responder& responder) {
  http::Response response(200, "application/json", std::string(kBody));
  co_await responder.send(std::move(response));
}

[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "http_bench: %s\n", why.c_str());
  std::exit(1);
}

// A port that was free a moment ago.
std::uint16_t free_port(net::asio::io_context& context) {
  const net::HostPort any("127.0.0.1", 0);
  return net::listen_tcp(context.get_executor(), any).value()->port();
}

class Nginx {
 public:
  Nginx(net::asio::io_context& context, std::uint16_t port) {
    folder_ = std::filesystem::temp_directory_path() / ("http_bench-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_ / "html");
    std::ofstream(folder_ / "html" / "small.json") << kBody;
    std::filesystem::permissions(
        folder_, std::filesystem::perms::others_exec | std::filesystem::perms::others_read,
        std::filesystem::perm_options::add);
    std::ofstream(folder_ / "nginx.conf")
        << "daemon off;\nworker_processes " << kThreads << ";\npid " << folder_.string()
        << "/pid;\nerror_log stderr error;\nevents { worker_connections 512; }\nhttp {\n"
        << "  access_log off;\n  keepalive_requests 1000000000;\n  sendfile on;\n  tcp_nopush on;\n"
        << "  open_file_cache max=10;\n  types { application/json json; }\n"
        << "  server { listen 127.0.0.1:" << port << " reuseport; root " << folder_.string()
        << "/html; }\n}\n";
    net::ProcessOptions options;
    options.program.command = {"/usr/sbin/nginx", "-p", folder_.string(), "-c",
                               (folder_ / "nginx.conf").string()};
    options.on_error_line = [](std::string_view line) {
      std::fprintf(stderr, "nginx: %.*s\n", static_cast<int>(line.size()), line.data());
    };
    auto started = net::Process::start(context.get_executor(), options);
    if (!started) give_up(started.error().message + " (apt-get install nginx-light)");
    process_ = std::move(*started);
  }
  ~Nginx() {
    process_.reset();
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Nginx(const Nginx&) = delete;
  Nginx& operator=(const Nginx&) = delete;

  // Of the master and its workers, which share its session.
  [[nodiscard]] double cpu_seconds() const {
    double ticks = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::ifstream file(entry.path() / "stat");
      std::string text;
      if (!std::getline(file, text)) continue;
      std::istringstream fields(text.substr(text.rfind(')') + 1));
      std::vector<std::string> values{std::istream_iterator<std::string>(fields), {}};
      constexpr std::size_t kSession = 3;
      constexpr std::size_t kUser = 11;
      if (values.size() <= kUser + 1 || values[kSession] != std::to_string(process_->pid()))
        continue;
      ticks += std::stod(values[kUser]) + std::stod(values[kUser + 1]);
    }
    return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<net::Process> process_;
};

template <class T>
T run(net::asio::io_context& context, net::awaitable<T> work) {
  std::optional<T> result;
  net::asio::co_spawn(context, std::move(work), [&](std::exception_ptr error, T value) {
    if (error) std::rethrow_exception(error);
    result.emplace(std::move(value));
    context.stop();
  });
  context.restart();
  context.run();
  return std::move(*result);
}

net::awaitable<std::string> read_all(net::Process& process) {
  std::string all;
  for (;;) {
    auto line = co_await process.read_line();
    if (!line || !*line) co_return all;
    all += (*line)->text + "\n";
  }
}

double our_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

struct Load {
  double requests = 0;
  double per_second = 0;
};

Load put_load_on(net::asio::io_context& context, const std::string& url, int seconds) {
  net::ProcessOptions options;
  options.program.command = {"wrk", "-t1", "-c" + std::to_string(kConnections),
                             "-d" + std::to_string(seconds) + "s", url};
  auto wrk = net::Process::start(context.get_executor(), options);
  if (!wrk) give_up(wrk.error().message + " (apt-get install wrk)");
  const std::string output = run(context, read_all(**wrk));
  const std::size_t total = output.find(" requests in ");
  constexpr std::string_view kRate = "Requests/sec:";
  const std::size_t rate = output.find(kRate);
  const bool errors = output.find("Non-2xx") != std::string::npos ||
                      output.find("Socket errors") != std::string::npos;
  if (total == std::string::npos || rate == std::string::npos || errors) give_up(output);
  Load load;
  load.requests = std::stod(output.substr(output.rfind('\n', total) + 1));
  load.per_second = std::stod(output.substr(rate + kRate.size()));
  return load;
}

struct Series {
  std::vector<double> per_second;
  std::vector<double> microseconds;  // of CPU, a request

  template <class Cpu>
  void measure(net::asio::io_context& context, const std::string& url, int seconds, Cpu cpu) {
    const double before = cpu();
    const Load load = put_load_on(context, url, seconds);
    per_second.push_back(load.per_second);
    microseconds.push_back((cpu() - before) * 1e6 / load.requests);
  }
};

// Both are there and say the same before anything is measured.
void wait_for(net::asio::io_context& context, const std::string& url) {
  http::Client client(context.get_executor(), http::ClientOptions{});
  for (int attempt = 0; attempt < 500; ++attempt) {
    http::FetchRequest request(http::Method::get, url);
    const auto response = run(context, client.fetch(std::move(request)));
    if (response && response->body == kBody) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  give_up("no answer from " + url);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 5;
  const int seconds = argc > 2 ? std::atoi(argv[2]) : 3;
  net::asio::io_context ours;
  net::asio::io_context control;

  auto router = std::make_shared<http::Router>();
  router->add(http::Method::get, "/small.json", answer);
  http::Server server(ours.get_executor(), router, http::ServerOptions{});
  const net::HostPort any("127.0.0.1", 0);
  auto listener = net::listen_tcp(ours.get_executor(), any).value();
  const std::string our_url =
      "http://127.0.0.1:" + std::to_string(listener->port()) + "/small.json";
  server.serve(std::move(listener));
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back([&] { ours.run(); });

  {
    const std::uint16_t port = free_port(control);
    const Nginx nginx(control, port);
    const std::string their_url = "http://127.0.0.1:" + std::to_string(port) + "/small.json";
    wait_for(control, our_url);
    wait_for(control, their_url);

    Series mine;
    Series theirs;
    for (int round = 0; round < rounds; ++round) {
      mine.measure(control, our_url, seconds, our_cpu_seconds);
      theirs.measure(control, their_url, seconds, [&] { return nginx.cpu_seconds(); });
      std::printf("round %d: interline %6.0f/s %5.1f us CPU, nginx %6.0f/s %5.1f us CPU\n",
                  round + 1, mine.per_second.back(), mine.microseconds.back(),
                  theirs.per_second.back(), theirs.microseconds.back());
    }
    std::printf(
        "keep-alive GET of %zu bytes, %d connections, %zu threads each; medians:\n"
        "requests/s: interline %.0f, nginx %.0f, ratio %.2f\n"
        "CPU a request: interline %.1f us, nginx %.1f us, ratio %.2f\n",
        kBody.size(), kConnections, kThreads, median(mine.per_second), median(theirs.per_second),
        median(mine.per_second) / median(theirs.per_second), median(mine.microseconds),
        median(theirs.microseconds), median(mine.microseconds) / median(theirs.microseconds));
  }
  ours.stop();
  return 0;
}

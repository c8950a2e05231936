// What this folder's tests share: running coroutines to their end, a folder that vanishes, and a
// certificate authority made on the spot.
#pragma once

#include <exception>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "net/asio.hpp"
#include "net/stream.hpp"

namespace interline::net::testing {

/// Only a hung test ever takes this long; then it fails instead of hanging.
inline constexpr std::chrono::seconds kHung{240};

/// Runs the context until the coroutine is done; what it spawned besides may be left pending.
template <class T>
T run(asio::io_context& context, awaitable<T> work) {
  std::optional<T> result;
  std::exception_ptr failure;
  bool done = false;
  asio::co_spawn(context, std::move(work), [&](std::exception_ptr error, T value) {
    failure = error;
    result.emplace(std::move(value));
    done = true;
    context.stop();
  });
  context.restart();
  context.run_for(kHung);
  if (failure) std::rethrow_exception(failure);
  if (!done) throw std::runtime_error("the coroutine hangs");
  return std::move(*result);
}
void run(asio::io_context& context, awaitable<void> work);

/// Starts a coroutine beside the test; an exception in it ends the process, and so the test.
void spawn(const Executor& executor, awaitable<void> work);

/// Everything until the peer's end, or what came before the error.
awaitable<std::string> read_to_end(Stream& stream);
/// Until at least `size` bytes are there, or the stream ended.
awaitable<std::string> read_at_least(Stream& stream, std::size_t size);

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// PEM files: an authority, a server's certificate for "localhost" and 127.0.0.1, and a client's.
struct TestCertificates {
  TestCertificates();

  TemporaryFolder folder;
  std::string authority;
  std::string server_certificate;
  std::string server_key;
  std::string client_certificate;
  std::string client_key;
};

/// Descriptors open in this process.
[[nodiscard]] std::size_t open_descriptors();

}  // namespace interline::net::testing

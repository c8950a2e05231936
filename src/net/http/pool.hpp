// Connections that wait for their next request, by origin. From any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "net/http/client_connection.hpp"

namespace interline::net::http {

struct PoolLimits {
  Duration idle_timeout{30'000};
  std::size_t max_idle_per_origin = 8;
  std::size_t max_idle = 256;
  std::size_t max_connections_per_origin = 64;
};

/// A connection with the strand it lives on. Dropping it closes it there, whoever still waits for
/// it: its timer may fire on the strand at any moment, so nowhere else may it be touched.
class PooledConnection {
 public:
  PooledConnection() = default;
  PooledConnection(Executor strand, std::shared_ptr<ClientConnection> connection)
      : strand_(std::move(strand)), connection_(std::move(connection)) {}
  ~PooledConnection() { drop(); }
  PooledConnection(PooledConnection&& other) noexcept = default;
  PooledConnection& operator=(PooledConnection&& other) noexcept;

  explicit operator bool() const { return connection_ != nullptr; }
  [[nodiscard]] const std::shared_ptr<ClientConnection>& connection() const { return connection_; }
  [[nodiscard]] const Executor& strand() const { return strand_; }

 private:
  void drop();

  Executor strand_;
  std::shared_ptr<ClientConnection> connection_;
};

class Pool {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;

  explicit Pool(const PoolLimits& limits) : limits_(limits) {}

  /// A share of the origin's connections; false when all are taken. Each is given back.
  [[nodiscard]] bool reserve(const std::string& origin);
  void release(const std::string& origin);

  /// The one that was used last; none where none waits.
  [[nodiscard]] PooledConnection take(const std::string& origin, TimePoint now);
  void put(const std::string& origin, PooledConnection connection, TimePoint now);
  [[nodiscard]] std::size_t idle() const;

 private:
  struct Idle {
    PooledConnection connection;
    TimePoint since;
  };
  struct Origin {
    std::vector<Idle> idle;
    std::size_t reserved = 0;
  };
  void sweep(TimePoint now, std::vector<Idle>& expired);

  PoolLimits limits_;
  mutable std::mutex mutex_;
  std::map<std::string, Origin> origins_;
  std::size_t idle_ = 0;
};

}  // namespace interline::net::http

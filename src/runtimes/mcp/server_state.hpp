// What is known of an endpoint's MCP server, and who hears when it changes. Shared by whoever talks
// to the server; any thread.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/consultation.hpp"
#include "protocols/mcp/server_hello.hpp"

namespace interline::runtimes::mcp {

class ServerState {
 public:
  using Listener = std::function<void(const engine::AgentChange&)>;

  void learned(const protocols::mcp::ServerHello& hello);
  [[nodiscard]] std::optional<protocols::mcp::ServerHello> hello() const;
  [[nodiscard]] engine::Offers offers() const;

  void listen(Listener listener);
  void changed(const engine::AgentChange& change) const;
  /// A notification of a server's: a change, or nothing that is known here.
  void told(std::string_view method, std::string_view uri) const;

  /// Resources that somebody wants to hear of; true if that is new.
  bool follow(const std::string& uri, bool wanted);
  [[nodiscard]] std::vector<std::string> followed() const;

 private:
  mutable std::mutex mutex_;
  std::optional<protocols::mcp::ServerHello> hello_;  // guarded by mutex_, as all below
  Listener listener_;
  std::multiset<std::string> followed_;
};

}  // namespace interline::runtimes::mcp

// Requests that are on their way over one channel, by their ids: who waits for which answer, and
// who hears what is said about it. On one strand.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <boost/asio/steady_timer.hpp>

#include "runtimes/mcp/link.hpp"

namespace interline::runtimes::mcp {

struct Flight {
  using Resume = std::move_only_function<void(Result<Reply>)>;

  std::string id;  ///< JSON text
  std::shared_ptr<Hearer> hearer;
  bool call = false;  ///< of a tool: log lines without a name are its own, if it is alone
  Resume resume;
  std::unique_ptr<boost::asio::steady_timer> timer;
};

class Flights {
 public:
  /// Unique among all of this channel.
  [[nodiscard]] std::string next_id() { return std::to_string(++last_id_); }

  void add(std::shared_ptr<Flight> flight) { flights_[flight->id] = std::move(flight); }
  /// By the id, JSON text as written; nullptr if there is none.
  [[nodiscard]] std::shared_ptr<Flight> find(std::string_view id) const {
    const auto found = flights_.find(id);
    return found == flights_.end() ? nullptr : found->second;
  }
  /// Takes it off and gives its answer. False: it was not there any more.
  bool land(std::string_view id, Result<Reply> reply) {
    const auto found = flights_.find(id);
    if (found == flights_.end()) return false;
    const auto flight = std::move(found->second);
    flights_.erase(found);
    finish(*flight, std::move(reply));
    return true;
  }
  void land_all(const Error& error) {
    for (auto& [id, flight] : std::exchange(flights_, {})) finish(*flight, std::unexpected(error));
  }
  /// The call that messages without a name belong to: the only one, if there is just one.
  [[nodiscard]] std::shared_ptr<Flight> only_call() const {
    std::shared_ptr<Flight> only;
    for (const auto& [id, flight] : flights_) {
      if (!flight->call || !flight->hearer) continue;
      if (only) return nullptr;
      only = flight;
    }
    return only;
  }
  [[nodiscard]] bool empty() const { return flights_.empty(); }

 private:
  static void finish(Flight& flight, Result<Reply> reply) {
    flight.timer.reset();
    if (auto resume = std::exchange(flight.resume, nullptr)) resume(std::move(reply));
  }

  std::map<std::string, std::shared_ptr<Flight>, std::less<>> flights_;
  std::uint64_t last_id_ = 0;
};

}  // namespace interline::runtimes::mcp

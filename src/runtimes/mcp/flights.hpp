// Requests that are on their way over one channel, by their ids: who waits for which answer, and
// who hears what is said about it. On one strand.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/steady_timer.hpp>

#include "runtimes/lost_lines.hpp"
#include "runtimes/mcp/link.hpp"

namespace interline::runtimes::mcp {

struct Flight {
  using Resume = std::move_only_function<void(Result<Reply>)>;

  std::string id;  ///< JSON text
  std::shared_ptr<Hearer> hearer;
  bool call = false;  ///< of a tool
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
    land_lost(lost_lines_.ended(flight->id));
    return true;
  }
  /// Those that have to have an answer. What only listens has none.
  [[nodiscard]] std::size_t awaited() const { return waiting().size(); }
  /// An answer to one of those was lost, nobody knows to which. It gets `error` as soon as that
  /// shows: at once if it is alone.
  void lose(const Error& error) {
    lost_error_ = error;
    land_lost(lost_lines_.lost(waiting()));
  }
  void land_all(const Error& error) {
    for (auto& [id, flight] : std::exchange(flights_, {})) finish(*flight, std::unexpected(error));
  }
  [[nodiscard]] bool empty() const { return flights_.empty(); }

 private:
  [[nodiscard]] LostLines::Names waiting() const {
    LostLines::Names names;
    for (const auto& [id, flight] : flights_) {
      if (flight->call || flight->timer) names.insert(id);
    }
    return names;
  }
  void land_lost(const LostLines::Names& ids) {
    for (const std::string& id : ids) (void)land(id, std::unexpected(*lost_error_));
  }
  static void finish(Flight& flight, Result<Reply> reply) {
    flight.timer.reset();
    if (auto resume = std::exchange(flight.resume, nullptr)) resume(std::move(reply));
  }

  std::map<std::string, std::shared_ptr<Flight>, std::less<>> flights_;
  std::uint64_t last_id_ = 0;
  LostLines lost_lines_;
  std::optional<Error> lost_error_;
};

}  // namespace interline::runtimes::mcp

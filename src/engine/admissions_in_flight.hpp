// Calls that are being admitted, by their request key: copies of one wait for it and take its
// answer, whatever has become of the queue's places meanwhile.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <boost/asio/awaitable.hpp>

#include "base/error.hpp"
#include "base/sha256.hpp"

namespace interline::engine {

struct Admission;

/// Thread-safe.
class AdmissionsInFlight {
  struct State;

 public:
  /// How the first ended. Without a fingerprint it never came to what copies have in common.
  struct Ended {
    std::optional<Digest> fingerprint;
    std::shared_ptr<const Result<Admission>> answer;
  };

  /// Of the first. Whoever waits for it is answered when it ends.
  class Turn {
   public:
    Turn(std::shared_ptr<State> state, std::string key)
        : state_(std::move(state)), key_(std::move(key)) {}
    Turn(Turn&&) noexcept = default;
    Turn& operator=(Turn&&) = delete;
    ~Turn();
    void end_with(const Digest& fingerprint, const Result<Admission>& answer);

   private:
    std::shared_ptr<State> state_;
    std::string key_;
    Ended ended_;
  };

  explicit AdmissionsInFlight(std::size_t most_waiting);

  /// Nothing, if another has this key now.
  [[nodiscard]] std::optional<Turn> enter(const std::string& key);
  /// Until the one that has the key has ended. resource_constraint (too_many) where too many wait.
  [[nodiscard]] boost::asio::awaitable<Result<Ended>> wait(std::string key);

 private:
  const std::shared_ptr<State> state_;
};

}  // namespace interline::engine

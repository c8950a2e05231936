// Requests of ours over one channel that the server may still work on: those that somebody waits
// for, and those that were left without an answer, as after a cancellation, which a server may
// ignore. What a server asks or logs without saying what it is about can be told to belong to a
// call only by what there is beside it. On one strand.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "runtimes/mcp/link.hpp"

namespace interline::runtimes::mcp {

class Unanswered {
 public:
  /// `call`: who hears of it where it is a tool's call, else null.
  void sent(const std::string& id, std::string caller, std::weak_ptr<Hearer> call) {
    requests_.insert_or_assign(id, Request{std::move(caller), std::move(call), false});
  }
  /// True: that was one that had been left.
  bool answered(std::string_view id) {
    const auto found = requests_.find(id);
    if (found == requests_.end()) return false;
    const bool was_left = found->second.left;
    if (was_left) --left_;
    requests_.erase(found);
    return was_left;
  }
  /// Nobody waits for it any more, and it was not answered.
  void left(std::string_view id) {
    const auto found = requests_.find(id);
    if (found == requests_.end() || found->second.left) return;
    found->second.left = true;
    ++left_;
    if (left_ <= kMostLeft) return;
    requests_.erase(found);  // and counts for ever
    forgotten_ = true;
  }
  [[nodiscard]] std::size_t count_left() const { return left_; }
  /// Nobody waits for anything.
  [[nodiscard]] bool idle() const { return requests_.size() <= left_; }

  /// The call that a request of the server's belongs to for certain: there is nothing else.
  [[nodiscard]] std::shared_ptr<Hearer> only() const {
    if (left_ > 0 || requests_.size() != 1) return nullptr;
    return requests_.begin()->second.call.lock();
  }
  /// Of a log line it is enough that nobody else's work is told of: the only call there is, where
  /// everything beside it is the same caller's.
  [[nodiscard]] std::shared_ptr<Hearer> only_call_of_one_caller() const {
    if (forgotten_) return nullptr;
    std::shared_ptr<Hearer> only;
    for (const auto& [id, request] : requests_) {
      if (request.caller != requests_.begin()->second.caller) return nullptr;
      auto call = request.left ? nullptr : request.call.lock();
      if (!call) continue;
      if (only) return nullptr;
      only = std::move(call);
    }
    return only;
  }

 private:
  struct Request {
    std::string caller;
    std::weak_ptr<Hearer> call;
    bool left = false;
  };
  static constexpr std::size_t kMostLeft = 1'000;

  std::map<std::string, Request, std::less<>> requests_;  ///< by id, JSON text
  std::size_t left_ = 0;
  bool forgotten_ = false;
};

}  // namespace interline::runtimes::mcp

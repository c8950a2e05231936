// Works of every kind at random, about few enough things that they meet.
#pragma once

#include <array>
#include <random>
#include <string>
#include <vector>

#include "store/testing/works.hpp"

namespace interline::store::testing {

class RandomWork {
 public:
  explicit RandomWork(std::mt19937_64& random) : random_(random) {}

  [[nodiscard]] Work next();
  /// Steps on, now and then by much and now and then back, with what is kept now and then behind.
  [[nodiscard]] CommitTime next_time();
  /// As last given.
  [[nodiscard]] CommitTime time() const { return {now_, now_ - behind_}; }
  [[nodiscard]] TaskQuery query();

  [[nodiscard]] const std::vector<std::string>& tasks() const { return tasks_; }
  [[nodiscard]] std::vector<std::string> claim_keys() const { return {"k0", "k1", "k2", "k3"}; }

 private:
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(random_() % end); }
  bool one_in(std::size_t n) { return below(n) == 0; }

  [[nodiscard]] Work admit_some();
  [[nodiscard]] Work apply_some();
  [[nodiscard]] tasks::Command command();
  [[nodiscard]] tasks::Command input();
  [[nodiscard]] tasks::Command question();
  [[nodiscard]] Work catalog();
  [[nodiscard]] std::vector<RecordChange> records(const std::string& task);
  [[nodiscard]] std::string some_task();

  std::mt19937_64& random_;
  SystemTime now_ = kStart;
  std::chrono::minutes behind_{0};
  std::uint64_t stamps_ = 0;
  std::vector<std::string> tasks_;  // all that were ever wanted
};

}  // namespace interline::store::testing

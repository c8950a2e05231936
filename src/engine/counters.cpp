#include "engine/counters.hpp"

#include <algorithm>
#include <iterator>

namespace interline::engine {
namespace {

constexpr std::size_t kReplayed = 1;
constexpr std::size_t kFirstError = 2;
static_assert(kAdmissionOutcomes.size() ==
              kFirstError + static_cast<std::size_t>(ErrorKind::internal) + 1);

std::size_t place_of(tasks::State state) {
  return static_cast<std::size_t>(state);
}

}  // namespace

void Counters::add_admission(std::string_view network, std::size_t outcome) {
  const auto known = std::ranges::find(kCountedNetworks, network);
  const auto row = known == kCountedNetworks.end() ? std::prev(known) : known;
  const auto place = static_cast<std::size_t>(std::distance(kCountedNetworks.begin(), row));
  admissions_[place][outcome].fetch_add(1, std::memory_order_relaxed);
}

void Counters::accepted(std::string_view network, bool replayed) {
  add_admission(network, replayed ? kReplayed : 0);
}

void Counters::refused(std::string_view network, ErrorKind why) {
  add_admission(network, kFirstError + static_cast<std::size_t>(why));
}

void Counters::opened(tasks::State state) {
  tasks_[place_of(state)].fetch_add(1, std::memory_order_relaxed);
}

void Counters::moved(tasks::State from, tasks::State to) {
  if (from == to) return;
  tasks_[place_of(from)].fetch_sub(1, std::memory_order_relaxed);
  tasks_[place_of(to)].fetch_add(1, std::memory_order_relaxed);
}

Counts Counters::read() const {
  Counts now;
  for (std::size_t i = 0; i < admissions_.size(); ++i) {
    std::ranges::transform(admissions_[i], now.admissions[i].begin(),
                           [](const auto& count) { return count.load(std::memory_order_relaxed); });
  }
  std::ranges::transform(tasks_, now.tasks.begin(),
                         [](const auto& count) { return count.load(std::memory_order_relaxed); });
  return now;
}

}  // namespace interline::engine

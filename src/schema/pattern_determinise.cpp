#include "schema/pattern_determinise.hpp"

#include <algorithm>

namespace interline::schema::pattern {
namespace {

/// The sets found so far, each with what precedes it as far as its open assertions care.
class SetTable {
 public:
  SetTable() : slots_(64, kFree) {}

  /// The number of a set, which is `size()` before the call if it is new. `set` is sorted.
  std::uint32_t number(std::span<const StateId> set, Edge before, std::size_t& work) {
    const std::uint64_t hash = hash_of(set, before);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != kFree; slot = (slot + 1) & (slots_.size() - 1)) {
      ++work;
      const Entry& entry = entries_[slots_[slot]];
      if (entry.hash != hash || entry.before != before) continue;
      work += set.size() / 4;
      if (std::ranges::equal(members(slots_[slot]), set)) return slots_[slot];
    }
    const auto number = static_cast<std::uint32_t>(entries_.size());
    slots_[slot] = number;
    entries_.push_back({hash, pool_.size(), set.size(), before});
    pool_.insert(pool_.end(), set.begin(), set.end());
    if (2 * entries_.size() > slots_.size()) grow();
    return number;
  }

  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::span<const StateId> members(std::size_t number) const {
    return std::span(pool_).subspan(entries_[number].first, entries_[number].count);
  }
  [[nodiscard]] Edge before(std::size_t number) const { return entries_[number].before; }
  [[nodiscard]] std::size_t memory() const { return pool_.size() * sizeof(StateId); }

 private:
  static constexpr std::uint32_t kFree = 0xFFFF'FFFF;
  struct Entry {
    std::uint64_t hash;
    std::size_t first;
    std::size_t count;
    Edge before;
  };

  static std::uint64_t hash_of(std::span<const StateId> set, Edge before) {
    std::uint64_t hash = 0x9E37'79B9'7F4A'7C15U + static_cast<std::uint64_t>(before);
    for (const StateId id : set) {
      hash = (hash ^ id) * 0xFF51'AFD7'ED55'8CCDU;
      hash ^= hash >> 32U;
    }
    return hash;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, kFree);
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      std::size_t slot = entries_[i].hash & (slots_.size() - 1);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = i;
    }
  }

  std::vector<Entry> entries_;
  std::vector<StateId> pool_;
  std::vector<std::uint32_t> slots_;  ///< open addressing; a power of two, at most half full
};

class Construction {
 public:
  Construction(const Nfa& nfa, std::size_t max_bytes, std::size_t max_work)
      : nfa_(nfa), walker_(nfa), max_bytes_(max_bytes), max_work_(max_work) {
    table_.stride = static_cast<std::uint32_t>(nfa.alphabet.size() + 1);
  }

  bool run() {
    table_.targets.assign(2 * std::size_t{table_.stride}, kReject);
    std::fill(table_.targets.begin() + table_.stride, table_.targets.end(), kAccept);
    StateSet set;
    table_.start = walker_.begin(set) ? kAccept : intern(set, Edge::text);
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      if (!add_row(i)) return false;
    }
    return true;
  }

  [[nodiscard]] TransitionTable take() { return std::move(table_); }
  [[nodiscard]] std::size_t work() const { return work_ + walker_.work(); }

 private:
  /// The state for a set that waits behind `before`.
  std::uint32_t intern(StateSet& set, Edge before) {
    if (set.empty()) return kReject;
    std::ranges::sort(set);
    work_ += set.size();
    return 2 + sets_.number(set, walker_.has_assertion(set) ? before : Edge::other, work_);
  }

  bool add_row(std::size_t number) {
    const std::size_t row = table_.targets.size();
    if ((row + table_.stride) * sizeof(std::uint32_t) > max_bytes_) return false;
    if (sets_.memory() > 16 * max_bytes_) return false;
    table_.targets.resize(row + table_.stride, kReject);
    const auto members = sets_.members(number);
    from_.assign(members.begin(), members.end());
    const bool assertions = walker_.has_assertion(from_);
    // What the set becomes when the next character is another one, a word character, or none.
    bool matched[3] = {};
    for (const Edge after : {Edge::other, Edge::word, Edge::text}) {
      const auto side = static_cast<std::size_t>(after);
      if (assertions) {
        matched[side] = walker_.decide(from_, sets_.before(number), after, decided_[side]);
      }
    }
    for (std::uint32_t symbol = 0; symbol + 1 < table_.stride; ++symbol) {
      const Edge edge = nfa_.alphabet.edge_of(static_cast<Symbol>(symbol));
      const auto side = static_cast<std::size_t>(edge);
      const StateSet& set = assertions ? decided_[side] : from_;
      std::uint32_t target = kAccept;
      if (!matched[side] && !walker_.advance(set, static_cast<Symbol>(symbol), to_)) {
        target = intern(to_, edge);
      }
      table_.targets[row + symbol] = target;
      if (work() > max_work_) return false;
    }
    if (matched[static_cast<std::size_t>(Edge::text)]) table_.targets.back() = kAccept;
    return true;
  }

  const Nfa& nfa_;
  NfaWalker walker_;
  std::size_t max_bytes_;
  std::size_t max_work_;
  std::size_t work_ = 0;
  SetTable sets_;
  TransitionTable table_;
  StateSet from_;
  StateSet to_;
  StateSet decided_[3];  ///< by Edge
};

/// For each state, the states that lead to it.
class Predecessors {
 public:
  explicit Predecessors(const TransitionTable& table) : first_(table.states() + 1, 0) {
    for (const std::uint32_t target : table.targets) ++first_[target];
    std::uint32_t sum = 0;
    for (std::uint32_t& first : first_) first = sum += first;
    sources_.resize(table.targets.size());
    for (std::size_t i = table.targets.size(); i-- > 0;) {
      sources_[--first_[table.targets[i]]] = static_cast<std::uint32_t>(i / table.stride);
    }
  }

  /// Which states lead to `goal`, itself included.
  [[nodiscard]] std::vector<bool> reaching(std::uint32_t goal) const {
    std::vector<bool> reaches(first_.size() - 1, false);
    std::vector<std::uint32_t> queue = {goal};
    reaches[goal] = true;
    while (!queue.empty()) {
      const std::uint32_t state = queue.back();
      queue.pop_back();
      for (std::uint32_t i = first_[state]; i < first_[state + 1]; ++i) {
        const std::uint32_t source = sources_[i];
        if (reaches[source]) continue;
        reaches[source] = true;
        queue.push_back(source);
      }
    }
    return reaches;
  }

 private:
  std::vector<std::uint32_t> first_;
  std::vector<std::uint32_t> sources_;
};

class Trim {
 public:
  explicit Trim(const TransitionTable& table)
      : table_(table), merged_(table.states()), number_(table.states(), kUnseen) {
    const Predecessors predecessors(table);
    const std::vector<bool> may_accept = predecessors.reaching(kAccept);
    const std::vector<bool> may_reject = predecessors.reaching(kReject);
    for (std::uint32_t state = 0; state < merged_.size(); ++state) {
      merged_[state] = !may_accept[state] ? kReject : !may_reject[state] ? kAccept : state;
    }
  }

  TransitionTable run() {
    find_reachable();
    number_[kReject] = kReject;
    number_[kAccept] = kAccept;
    order_ = {kReject, kAccept};
    for (std::uint32_t state : reachable_) {
      while (is_chain(state) && number_[state] == kUnseen) state = append(state);
    }
    const std::size_t chains_end = order_.size();
    for (const std::uint32_t state : reachable_) {
      if (number_[state] == kUnseen && only_successor_[state] == state) append(state);
    }
    const std::size_t loops_end = order_.size();
    for (const std::uint32_t state : reachable_) {
      if (number_[state] == kUnseen) append(state);
    }
    TransitionTable out{.stride = table_.stride,
                        .start = number_[merged_[table_.start]],
                        .targets = {},
                        .chains_end = static_cast<std::uint32_t>(chains_end),
                        .loops_end = static_cast<std::uint32_t>(loops_end)};
    out.targets.reserve(order_.size() * table_.stride);
    for (const std::uint32_t state : order_) {
      for (const std::uint32_t target : row(state)) out.targets.push_back(number_[merged_[target]]);
    }
    return out;
  }

 private:
  static constexpr std::uint32_t kUnseen = 0xFFFF'FFFF;

  [[nodiscard]] std::span<const std::uint32_t> row(std::uint32_t state) const {
    return std::span(table_.targets).subspan(std::size_t{state} * table_.stride, table_.stride);
  }

  /// In the order in which texts reach them.
  void find_reachable() {
    std::vector<bool> seen(table_.states(), false);
    only_successor_.assign(table_.states(), kReject);
    const auto reach = [&](std::uint32_t state) {
      if (state > kAccept && !seen[state]) reachable_.push_back(state);
      seen[state] = true;
    };
    reach(merged_[table_.start]);
    for (std::size_t i = 0; i < reachable_.size(); ++i) {
      const std::uint32_t state = reachable_[i];
      std::uint32_t& only = only_successor_[state];
      for (const std::uint32_t target : row(state).first(table_.stride - 1)) {
        const std::uint32_t next = merged_[target];
        reach(next);
        if (next != kReject) only = only == kReject || only == next ? next : kAccept;
      }
    }
  }

  /// One state follows, if any, and it is neither this one nor kAccept. (kAccept also stands for
  /// several.)
  [[nodiscard]] bool is_chain(std::uint32_t state) const {
    return only_successor_[state] > kAccept && only_successor_[state] != state;
  }

  /// Gives a state the next number; returns the one that follows it, if that is one.
  std::uint32_t append(std::uint32_t state) {
    number_[state] = static_cast<std::uint32_t>(order_.size());
    order_.push_back(state);
    return only_successor_[state];
  }

  const TransitionTable& table_;
  std::vector<std::uint32_t> merged_;  ///< state -> itself, kReject or kAccept
  std::vector<std::uint32_t> reachable_;
  std::vector<std::uint32_t> only_successor_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> order_;  ///< the states by their new numbers
};

}  // namespace

std::optional<TransitionTable> determinise(const Nfa& nfa, std::size_t max_bytes,
                                           std::size_t max_work, std::size_t& work) {
  Construction construction(nfa, max_bytes, max_work);
  const bool complete = construction.run();
  work += construction.work();
  if (!complete) return std::nullopt;
  return construction.take();
}

TransitionTable trim(const TransitionTable& table) {
  return Trim(table).run();
}

}  // namespace interline::schema::pattern

#include <algorithm>
#include <array>
#include <limits>
#include <memory_resource>

#include "base/utf8.hpp"
#include "schema/pattern_backtrack.hpp"
#include "schema/pattern_budget.hpp"

namespace interline::schema::pattern {
namespace {

using Position = std::uint32_t;  ///< a byte offset between two code points

constexpr std::uint32_t kUnset = std::numeric_limits<std::uint32_t>::max();

/// What to do when the way at hand fails: the topmost entry says it.
struct Entry {
  enum class Kind : std::uint32_t {
    restore,  ///< puts b into register a, and fails on
    branch,   ///< goes on at instruction a, position b
    give,     ///< a greedy run at instruction a gives back a character: at c, down to b
    take,     ///< a lazy run at instruction a takes one more at b; it has taken c so far
    barrier,  ///< the body of looks[a], entered at position b, cannot match
  };
  Kind kind;
  std::uint32_t a;
  std::uint32_t b;
  std::uint32_t c;
};

constexpr std::size_t kMostEntries = kBacktrackStackBytes / sizeof(Entry);

class Matcher {
 public:
  Matcher(const BacktrackProgram& program, std::string_view text, std::size_t steps)
      : program_(program),
        text_(text),
        end_(static_cast<Position>(text.size())),
        steps_(steps),
        stack_(&memory_),
        registers_(program.registers, kUnset, &memory_),
        look_heights_(program.looks.size(), &memory_) {
    stack_.reserve(32);
  }

  /// From one position. Whatever the registers held before, they hold again where it says no.
  Match match_at(Position start);

  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] Position after(Position at) const {
    return at + decode_valid_utf8(text_.data() + at).size;
  }

 private:
  enum class Next : std::uint8_t { instruction, failure, accepted };

  Next step();
  std::uint32_t take_many(const Instruction& test, std::uint32_t most, Position& at) const;
  Next run_loop(const Instruction& instruction);
  Next next_round(const Instruction& instruction);
  Next begin_round(const Instruction& instruction);
  Next end_round(const Instruction& instruction);
  Next back_reference(const Instruction& instruction);
  Next end_look(const Instruction& instruction);
  [[nodiscard]] bool fail();
  [[nodiscard]] bool holds(Assertion assertion) const;

  Next go(std::uint32_t instruction) {
    pc_ = instruction;
    return Next::instruction;
  }

  /// Takes the next character, to the right or to the left, if `test` is for it.
  [[nodiscard]] bool take(const Instruction& test, Position& at) const {
    if (at == (test.backward ? 0 : end_)) return false;
    const Position from = test.backward ? before(at) : at;
    const Utf8CodePoint next = decode_valid_utf8(text_.data() + from);
    if (test.op == Op::character ? next.value != test.value
                                 : !program_.sets[test.value].contains(next.value)) {
      return false;
    }
    at = test.backward ? from : at + next.size;
    return true;
  }
  [[nodiscard]] Position before(Position at) const {
    do --at;
    while ((static_cast<unsigned char>(text_[at]) & 0xC0U) == 0x80U);
    return at;
  }

  void push(Entry entry) {
    if (stack_.size() == kMostEntries) {
      steps_ = 0;
    } else {
      stack_.push_back(entry);
    }
  }
  void set(std::uint32_t reg, std::uint32_t value) {
    if (registers_[reg] == value) return;
    push({Entry::Kind::restore, reg, registers_[reg], 0});
    registers_[reg] = value;
  }
  void spend(std::size_t steps) { steps_ -= std::min(steps, steps_); }

  const BacktrackProgram& program_;
  std::string_view text_;
  Position end_;
  std::size_t steps_;  ///< left; once there are none, the search is over
  std::uint32_t pc_ = 0;
  Position at_ = 0;
  // Most searches need no more than this.
  std::array<std::byte, 1'024> small_;
  std::pmr::monotonic_buffer_resource memory_{small_.data(), small_.size()};
  std::pmr::vector<Entry> stack_;
  std::pmr::vector<std::uint32_t> registers_;
  std::pmr::vector<std::size_t> look_heights_;  ///< where each look's barrier is
};

Match Matcher::match_at(Position start) {
  pc_ = 0;
  at_ = start;
  while (steps_ > 0) {
    --steps_;
    const Next next = step();
    if (next == Next::accepted) break;
    if (next == Next::failure && !fail()) return steps_ > 0 ? Match::no : Match::budget_exceeded;
  }
  return steps_ > 0 ? Match::yes : Match::budget_exceeded;
}

Matcher::Next Matcher::step() {
  const Instruction& now = program_.code[pc_];
  switch (now.op) {
    case Op::character:
    case Op::set:
      return take(now, at_) ? go(pc_ + 1) : Next::failure;
    case Op::assertion:
      return holds(static_cast<Assertion>(now.value)) ? go(pc_ + 1) : Next::failure;
    case Op::jump:
      return go(now.target);
    case Op::split:
      push({Entry::Kind::branch, now.target, at_, 0});
      return go(pc_ + 1);
    case Op::group_open:
      set(3 * now.value, at_);
      return go(pc_ + 1);
    case Op::group_close: {
      const Position opened = registers_[3 * now.value];
      set(3 * now.value + 1, std::min(opened, at_));
      set(3 * now.value + 2, std::max(opened, at_));
      return go(pc_ + 1);
    }
    case Op::back_reference:
      return back_reference(now);
    case Op::run:
      return run_loop(now);
    case Op::loop_enter:
      if (program_.loops[now.value].counts) set(program_.loops[now.value].counter, 0);
      return go(pc_ + 1);
    case Op::loop_next:
      return next_round(now);
    case Op::loop_body:
      return begin_round(now);
    case Op::loop_back:
      return end_round(now);
    case Op::look:
      look_heights_[now.value] = stack_.size();
      push({Entry::Kind::barrier, now.value, at_, 0});
      return go(pc_ + 1);
    case Op::look_end:
      return end_look(now);
    case Op::accept:
      return Next::accepted;
  }
  return Next::failure;
}

bool Matcher::holds(Assertion assertion) const {
  const auto is_word = [&](std::size_t index) {
    return index < text_.size() && is_word_character(static_cast<unsigned char>(text_[index]));
  };
  switch (assertion) {
    case Assertion::text_start:
      return at_ == 0;
    case Assertion::text_end:
      return at_ == end_;
    case Assertion::word_boundary:
      return (at_ > 0 && is_word(at_ - 1)) != is_word(at_);
    case Assertion::no_word_boundary:
      return (at_ > 0 && is_word(at_ - 1)) == is_word(at_);
  }
  return false;
}

/// BackreferenceMatcher, 22.2.2.7.2; equal bytes are equal characters.
Matcher::Next Matcher::back_reference(const Instruction& now) {
  const Position first = registers_[3 * now.value + 1];
  const Position last = registers_[3 * now.value + 2];
  if (first == kUnset) return go(pc_ + 1);
  const Position length = last - first;
  spend(scan_cost(length));
  if (length > (now.backward ? at_ : end_ - at_)) return Next::failure;
  const Position from = now.backward ? at_ - length : at_;
  if (text_.substr(from, length) != text_.substr(first, length)) return Next::failure;
  at_ = now.backward ? from : at_ + length;
  return go(pc_ + 1);
}

/// Takes up to `most` characters; returns how many there were.
std::uint32_t Matcher::take_many(const Instruction& test, std::uint32_t most, Position& at) const {
  std::uint32_t taken = 0;
  while (taken < most) {
    if (test.op == Op::set && !test.backward) {
      const FastSet& set = program_.sets[test.value];
      while (taken < most && at < end_ && set.contains_ascii(text_[at])) {
        ++at;
        ++taken;
      }
    }
    if (taken == most || !take(test, at)) break;
    ++taken;
  }
  return taken;
}

/// A loop over a single character needs one entry on the stack, however often it goes round.
Matcher::Next Matcher::run_loop(const Instruction& now) {
  const Loop& loop = program_.loops[now.value];
  const Instruction& body = program_.code[pc_ + 1];
  const Position start = at_;
  const std::uint32_t taken = take_many(body, loop.min, at_);
  if (taken < loop.min) return Next::failure;
  const Position least = at_;
  if (loop.greedy) {
    (void)take_many(body, loop.max - taken, at_);
    if (at_ != least) push({Entry::Kind::give, pc_, least, at_});
  } else if (taken < loop.max) {
    push({Entry::Kind::take, pc_, at_, taken});
  }
  spend(2 * scan_cost(at_ > start ? at_ - start : start - at_));
  return go(loop.exit);
}

/// RepeatMatcher, 22.2.2.3.1: whether there is one more iteration.
Matcher::Next Matcher::next_round(const Instruction& now) {
  const Loop& loop = program_.loops[now.value];
  const std::uint32_t rounds = loop.counts ? registers_[loop.counter] : 0;
  if (rounds < loop.min) return go(pc_ + 1);
  if (rounds >= loop.max) return go(loop.exit);
  push({Entry::Kind::branch, loop.greedy ? loop.exit : pc_ + 1, at_, 0});
  return go(loop.greedy ? pc_ + 1 : loop.exit);
}

Matcher::Next Matcher::begin_round(const Instruction& now) {
  const Loop& loop = program_.loops[now.value];
  if (loop.may_be_empty) set(loop.position, at_);
  spend(loop.groups);
  for (std::uint32_t g = loop.first_group; g < loop.first_group + loop.groups; ++g) {
    set(3 * g + 1, kUnset);
    set(3 * g + 2, kUnset);
  }
  return go(pc_ + 1);
}

Matcher::Next Matcher::end_round(const Instruction& now) {
  const Loop& loop = program_.loops[now.value];
  const std::uint32_t rounds = loop.counts ? registers_[loop.counter] : 0;
  // Step 2.b: beyond the minimum an iteration has to take something.
  if (loop.may_be_empty && rounds >= loop.min && registers_[loop.position] == at_) {
    return Next::failure;
  }
  // With no maximum, counting ends at the minimum.
  if (loop.counts && (rounds < loop.min || loop.max != kNoMaximum)) set(loop.counter, rounds + 1);
  return go(now.target);
}

Matcher::Next Matcher::end_look(const Instruction& now) {
  const std::size_t barrier = look_heights_[now.value];
  spend((stack_.size() - barrier) / 4);
  if (program_.looks[now.value].negative) {
    for (; stack_.size() > barrier; stack_.pop_back()) {
      const Entry& top = stack_.back();
      if (top.kind == Entry::Kind::restore) registers_[top.a] = top.b;
    }
    return Next::failure;
  }
  at_ = stack_[barrier].b;
  // Its captures stay, and are undone when what was before fails; there is no way back into it.
  const auto no_way_on =
      std::remove_if(stack_.begin() + static_cast<std::ptrdiff_t>(barrier), stack_.end(),
                     [](const Entry& entry) { return entry.kind != Entry::Kind::restore; });
  stack_.erase(no_way_on, stack_.end());
  return go(pc_ + 1);
}

/// Goes back to the last place where there is another way. False: there is none.
bool Matcher::fail() {
  while (!stack_.empty()) {
    Entry& top = stack_.back();
    switch (top.kind) {
      case Entry::Kind::restore:
        registers_[top.a] = top.b;
        break;
      case Entry::Kind::branch:
        pc_ = top.a;
        at_ = top.b;
        stack_.pop_back();
        return true;
      case Entry::Kind::give: {
        const Instruction& run = program_.code[top.a];
        top.c = run.backward ? after(top.c) : before(top.c);
        at_ = top.c;
        pc_ = program_.loops[run.value].exit;
        if (top.c == top.b) stack_.pop_back();
        return true;
      }
      case Entry::Kind::take: {
        const Instruction& run = program_.code[top.a];
        const Loop& loop = program_.loops[run.value];
        if (!take(program_.code[top.a + 1], top.b)) break;
        at_ = top.b;
        pc_ = loop.exit;
        if (++top.c == loop.max) stack_.pop_back();
        return true;
      }
      case Entry::Kind::barrier: {
        const Look& look = program_.looks[top.a];
        const Position entered = top.b;
        if (!look.negative) break;
        pc_ = look.after;
        at_ = entered;
        stack_.pop_back();
        return true;
      }
    }
    stack_.pop_back();
  }
  return false;
}

}  // namespace

Match BacktrackProgram::search(std::string_view text, std::size_t& steps) const {
  const std::size_t set_up = scan_cost(registers + looks.size());
  if (text.size() >= kUnset || steps <= set_up) return charge(steps, steps + 1, Match::no);
  Matcher matcher(*this, text, steps - set_up);
  Match match = Match::no;
  for (Position start = 0;; start = matcher.after(start)) {
    match = matcher.match_at(start);
    if (match != Match::no || anchored || start == text.size()) break;
  }
  steps = matcher.steps();
  return match;
}

}  // namespace interline::schema::pattern

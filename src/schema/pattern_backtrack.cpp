#include "schema/pattern_backtrack.hpp"

#include <utility>

namespace interline::schema::pattern {
namespace {

class Builder {
 public:
  explicit Builder(const Syntax& syntax) : syntax_(syntax) {}

  BacktrackProgram run() {
    number_groups();
    for (const CodePointSet& set : syntax_.sets) program_.sets.emplace_back(set);
    program_.registers = 3 * program_.groups;
    program_.anchored = syntax_.nodes[syntax_.root].anchored;
    build(syntax_.root, false);
    emit(Op::accept, false);
    program_.code.shrink_to_fit();
    return std::move(program_);
  }

 private:
  /// kept_[g]: how many groups up to the syntax tree's group g some back-reference names.
  void number_groups() {
    kept_.assign(syntax_.captures + 1, 0);
    for (const Node& node : syntax_.nodes) {
      if (node.kind == NodeKind::back_reference) kept_[node.value] = 1;
    }
    for (std::size_t g = 1; g < kept_.size(); ++g) kept_[g] += kept_[g - 1];
    program_.groups = kept_.back();
  }
  [[nodiscard]] bool is_kept(std::uint32_t group) const { return kept_[group] > kept_[group - 1]; }

  std::uint32_t emit(Op op, bool backward, std::uint32_t value = 0) {
    program_.code.push_back({op, backward, value, 0});
    return here() - 1;
  }
  [[nodiscard]] std::uint32_t here() const {
    return static_cast<std::uint32_t>(program_.code.size());
  }
  void aim(std::uint32_t instruction, std::uint32_t target) {
    program_.code[instruction].target = target;
  }

  void build(NodeId id, bool backward) {
    const Node& node = syntax_.nodes[id];
    const auto children = syntax_.children_of(node);
    switch (node.kind) {
      case NodeKind::empty:
        break;
      case NodeKind::character:
        emit(Op::character, backward, node.value);
        break;
      case NodeKind::set:
        emit(Op::set, backward, node.value);
        break;
      case NodeKind::assertion:
        emit(Op::assertion, backward, node.value);
        break;
      case NodeKind::sequence:
        // 22.2.2.4: backwards, the right one of two terms is evaluated first.
        for (std::size_t i = 0; i < children.size(); ++i) {
          build(children[backward ? children.size() - 1 - i : i], backward);
        }
        break;
      case NodeKind::alternation:
        alternation(children, backward);
        break;
      case NodeKind::repeat:
        repeat(node, children[0], backward);
        break;
      case NodeKind::capture:
        capture(node.value, children[0], backward);
        break;
      case NodeKind::back_reference:
        emit(Op::back_reference, backward, kept_[node.value] - 1);
        break;
      case NodeKind::look:
        look(node, children[0]);
        break;
    }
  }

  void alternation(std::span<const NodeId> children, bool backward) {
    std::vector<std::uint32_t> ends;
    for (std::size_t i = 0; i + 1 < children.size(); ++i) {
      const std::uint32_t split = emit(Op::split, backward);
      build(children[i], backward);
      ends.push_back(emit(Op::jump, backward));
      aim(split, here());
    }
    build(children.back(), backward);
    for (const std::uint32_t end : ends) aim(end, here());
  }

  void capture(std::uint32_t group, NodeId body, bool backward) {
    if (!is_kept(group)) return build(body, backward);
    emit(Op::group_open, backward, kept_[group] - 1);
    build(body, backward);
    emit(Op::group_close, backward, kept_[group] - 1);
  }

  void look(const Node& node, NodeId body) {
    const auto number = static_cast<std::uint32_t>(program_.looks.size());
    program_.looks.push_back({.negative = node.negative});
    emit(Op::look, node.behind, number);
    build(body, node.behind);
    emit(Op::look_end, node.behind, number);
    program_.looks[number].after = here();
  }

  void repeat(const Node& node, NodeId body, bool backward) {
    if (node.max == 0) return;
    const auto number = static_cast<std::uint32_t>(program_.loops.size());
    const Node& child = syntax_.nodes[body];
    Loop loop{.min = node.min,
              .max = node.max,
              .greedy = node.greedy,
              .counts = node.min != 0 || node.max != kNoMaximum,
              .may_be_empty = child.may_be_empty,
              .first_group = kept_[node.first_capture],
              .groups = kept_[node.first_capture + node.captures] - kept_[node.first_capture]};
    if (child.kind == NodeKind::character || child.kind == NodeKind::set) {
      program_.loops.push_back(loop);
      emit(Op::run, backward, number);
      build(body, backward);
      program_.loops[number].exit = here();
      return;
    }
    if (loop.counts) loop.counter = program_.registers++;
    if (loop.may_be_empty) loop.position = program_.registers++;
    program_.loops.push_back(loop);
    emit(Op::loop_enter, backward, number);
    const std::uint32_t next = emit(Op::loop_next, backward, number);
    emit(Op::loop_body, backward, number);
    build(body, backward);
    aim(emit(Op::loop_back, backward, number), next);
    program_.loops[number].exit = here();
  }

  const Syntax& syntax_;
  BacktrackProgram program_;
  std::vector<std::uint32_t> kept_;
};

}  // namespace

FastSet::FastSet(const CodePointSet& set) : all(set) {
  for (char32_t c = 0; c < 128; ++c) {
    if (set.contains(c)) ascii[c / 64] |= std::uint64_t{1} << (c % 64);
  }
}

BacktrackProgram build_backtrack(const Syntax& syntax) {
  return Builder(syntax).run();
}

std::size_t BacktrackProgram::memory() const {
  std::size_t bytes = code.capacity() * sizeof(Instruction) + loops.capacity() * sizeof(Loop) +
                      looks.capacity() * sizeof(Look) + sets.capacity() * sizeof(FastSet);
  for (const FastSet& set : sets) bytes += set.all.memory();
  return bytes;
}

}  // namespace interline::schema::pattern

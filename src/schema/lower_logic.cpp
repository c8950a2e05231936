// Lowering, what is applied to the same value: references, allOf, anyOf, oneOf, not, if. For one
// kind, many branches are known to hold or to fail, and the keyword shrinks or goes.
#include <algorithm>

#include "schema/lower.hpp"

namespace interline::schema {

BlockId Lowering::in_place_block(NodeId from, NodeId to, json::Kind kind) {
  const BlockId block = block_of(to, kind);
  if (block <= kFail || !enters_scope(from, to)) return block;
  Draft draft;
  draft.code.push_back(instruction(Op::enter, block, model_.nodes[to].resource));
  return seal(draft);
}

void Lowering::lower_in_place(Draft& draft, NodeId from, NodeId to, json::Kind kind) {
  append_block(draft, in_place_block(from, to, kind));
}

void Lowering::lower_reference(Draft& draft, NodeId node, json::Kind kind, const Keyword& keyword) {
  const Reference& reference = model_.references[keyword.index];
  if (reference.dynamic_anchor.empty()) {
    lower_in_place(draft, node, reference.target, kind);
    return;
  }
  draft.code.push_back(instruction(Op::dynamic, dynamic_target(node, keyword)));
}

std::uint32_t Lowering::dynamic_target(NodeId node, const Keyword& keyword) {
  const auto [known, fresh] = dynamic_at_.try_emplace(keyword.index, 0);
  if (!fresh) return known->second;
  const Reference& reference = model_.references[keyword.index];
  DynamicTarget target;
  const auto [rows, first] = dynamic_rows_.try_emplace(
      reference.dynamic_anchor, static_cast<std::uint32_t>(program_.dynamic_rows.size()));
  const DynamicAnchors& anchors = model_.dynamic_anchors.at(reference.dynamic_anchor);
  target.first = rows->second;
  target.count = static_cast<std::uint32_t>(anchors.size());
  if (first) {
    for (const auto& [resource, anchor] : anchors) {
      program_.dynamic_rows.push_back({resource, kFirstNode + anchor});
    }
  }
  target.fallback = schema_at(node, reference.target);
  program_.dynamics.push_back(target);
  known->second = static_cast<std::uint32_t>(program_.dynamics.size() - 1);
  return known->second;
}

/// The texts, where each branch is one `const` of a string: a choice with titles, as forms have it.
std::optional<std::vector<std::string_view>> Lowering::constants_of(
    std::span<const BlockId> branches) const {
  std::vector<std::string_view> texts;
  for (const BlockId branch : branches) {
    const Block& block = program_.blocks[index_of(branch)];
    const Instruction& first = program_.instructions[block.first];
    if (block.count != 1 || first.op != Op::string_is) return std::nullopt;
    texts.push_back(program_.names[first.a].view());
  }
  return texts;
}

void Lowering::lower_any_of(Draft& draft, NodeId node, json::Kind kind, const Keyword& keyword) {
  std::vector<BlockId> branches;
  for (const Child& child : model_.children_of(keyword)) {
    const BlockId block = in_place_block(node, child.node, kind);
    if (block == kPass) return;
    if (block == kFail) continue;
    const bool few = branches.size() < 64;  // looking for repetitions is not worth more
    if (!few || std::ranges::find(branches, block) == branches.end()) branches.push_back(block);
  }
  if (branches.size() <= 1) {
    append_block(draft, branches.empty() ? kFail : branches.front());
    return;
  }
  if (auto texts = constants_of(branches)) {
    lower_strings(draft, std::move(*texts));
    return;
  }
  draft.code.push_back(instruction(Op::any_of, static_cast<std::uint32_t>(program_.lists.size()),
                                   static_cast<std::uint32_t>(branches.size())));
  program_.lists.insert(program_.lists.end(), branches.begin(), branches.end());
}

void Lowering::lower_one_of(Draft& draft, NodeId node, json::Kind kind, const Keyword& keyword) {
  std::vector<BlockId> branches;
  std::size_t holding = 0;
  for (const Child& child : model_.children_of(keyword)) {
    const BlockId block = in_place_block(node, child.node, kind);
    if (block == kPass) {
      ++holding;
    } else if (block != kFail) {
      branches.push_back(block);
    }
  }
  if (holding > 1 || (holding == 0 && branches.empty())) {
    draft.fails = true;
  } else if (holding == 1) {
    for (const BlockId branch : branches) lower_not(draft, branch);
  } else if (branches.size() == 1) {
    append_block(draft, branches.front());
  } else if (auto texts = constants_of(branches)) {
    // What two branches allow, none does.
    std::ranges::sort(*texts);
    std::vector<std::string_view> once;
    for (auto text = texts->begin(); text != texts->end();) {
      const auto next = std::ranges::upper_bound(text, texts->end(), *text);
      if (next - text == 1) once.push_back(*text);
      text = next;
    }
    if (once.empty()) {
      draft.fails = true;
    } else {
      lower_strings(draft, std::move(once));
    }
  } else {
    draft.code.push_back(instruction(Op::one_of, static_cast<std::uint32_t>(program_.lists.size()),
                                     static_cast<std::uint32_t>(branches.size())));
    program_.lists.insert(program_.lists.end(), branches.begin(), branches.end());
  }
}

void Lowering::lower_not(Draft& draft, BlockId block) {
  if (block == kPass) {
    draft.fails = true;
  } else if (block != kFail) {
    draft.code.push_back(instruction(Op::not_block, block));
  }
}

void Lowering::lower_if(Draft& draft, NodeId node, json::Kind kind, const Keyword& keyword) {
  const auto branch = [&](KeywordId id) {
    const Keyword* found = model_.keyword_of(node, id);
    return found == nullptr ? kPass
                            : in_place_block(node, model_.children_of(*found)[0].node, kind);
  };
  const BlockId condition = in_place_block(node, model_.children_of(keyword)[0].node, kind);
  const BlockId yes = branch(KeywordId::then_schema);
  const BlockId no = branch(KeywordId::else_schema);
  if (condition <= kFail) {
    append_block(draft, condition == kPass ? yes : no);
  } else if (yes == no) {
    append_block(draft, yes);
  } else if (yes == kPass && no == kFail) {
    append_block(draft, condition);
  } else if (yes == kFail && no == kPass) {
    lower_not(draft, condition);
  } else {
    draft.code.push_back(
        instruction(Op::choose, condition, static_cast<std::uint32_t>(program_.lists.size())));
    program_.lists.push_back(yes);
    program_.lists.push_back(no);
  }
}

}  // namespace interline::schema

#include "schema/lower.hpp"

#include <algorithm>
namespace interline::schema {
namespace {

constexpr std::array<json::Kind, kKinds> kAllKinds = {json::Kind::null,   json::Kind::boolean,
                                                      json::Kind::number, json::Kind::string,
                                                      json::Kind::array,  json::Kind::object};

Entry same_for_all(BlockId block) {
  Entry entry;
  entry.block.fill(block);
  return entry;
}

bool scope_is_dynamic(const Model& model) {
  return std::ranges::any_of(model.references, [](const Reference& reference) {
    return !reference.dynamic_anchor.empty();
  });
}

}  // namespace

std::expected<void, Lowering::TooLarge> Lowering::run(std::span<const NodeId> order) {
  program_.blocks.resize(2);  // kPass and kFail, never executed
  program_.entries = {same_for_all(kPass), same_for_all(kFail)};
  program_.entries.resize(kFirstNode + model_.nodes.size());
  program_.marks.resize(2);
  program_.marks[kMarksAll].all = true;
  program_.dynamic_scope = scope_is_dynamic(model_);
  program_.root = kFirstNode + model_.root;
  program_.root_resource = model_.nodes[model_.root].resource;
  const std::vector<bool> marked =
      model_.has_unevaluated ? marked_nodes() : std::vector<bool>(model_.nodes.size(), false);
  for (const NodeId node : order) {
    if (marked[node]) keep_marks(node);
    for (const json::Kind kind : kAllKinds) {
      const BlockId block = lower(node, kind);
      program_.entries[kFirstNode + node].block[index_of(kind)] = block;
    }
    if (program_.instructions.size() > limits_.instructions) {
      too_large_ = {node, "", "the compiled form of the schema is too large"};
    }
    if (too_large_) return std::unexpected(*too_large_);
  }
  lower_derived();
  if (too_large_) return std::unexpected(*too_large_);
  keep_schema_marks();
  return {};
}

BlockId Lowering::lower(NodeId node, json::Kind kind) {
  const json::Value& schema = *model_.nodes[node].schema;
  if (schema.is_boolean()) return schema.as_bool() ? kPass : kFail;
  Draft draft;
  bool members_done = false;
  for (const Keyword& keyword : model_.keywords_of(node)) {
    if (draft.fails) return kFail;
    switch (keyword.id) {
      case KeywordId::required:
      case KeywordId::properties:
      case KeywordId::pattern_properties:
      case KeywordId::additional_properties:
      case KeywordId::unevaluated_properties:
        // One pass for all of them. unevaluatedProperties comes last of all keywords, and of
        // these, if what it depends on is dynamic.
        if (kind == json::Kind::object && !members_done) lower_members(draft, node);
        members_done = true;
        if (kind == json::Kind::object) lower_object_keyword(draft, node, keyword);
        break;
      default:
        lower_keyword(draft, node, kind, keyword);
    }
  }
  return seal(draft);
}

void Lowering::lower_keyword(Draft& draft, NodeId node, json::Kind kind, const Keyword& keyword) {
  const auto id = keyword.id;
  if (id == KeywordId::type) {
    lower_type(draft, kind, *keyword.value);
  } else if (id == KeywordId::const_value) {
    lower_values(draft, kind, std::span(keyword.value, 1));
  } else if (id == KeywordId::enum_values) {
    lower_values(draft, kind, keyword.value->items());
  } else if (id <= KeywordId::exclusive_minimum) {
    if (kind == json::Kind::number) lower_number_keyword(draft, keyword);
  } else if (id <= KeywordId::format) {
    if (kind == json::Kind::string) lower_string_keyword(draft, node, keyword);
  } else if (id == KeywordId::ref || id == KeywordId::dynamic_ref) {
    lower_reference(draft, node, kind, keyword);
  } else if (id == KeywordId::all_of) {
    for (const Child& child : model_.children_of(keyword)) {
      lower_in_place(draft, node, child.node, kind);
    }
  } else if (id == KeywordId::any_of) {
    lower_any_of(draft, node, kind, keyword);
  } else if (id == KeywordId::one_of) {
    lower_one_of(draft, node, kind, keyword);
  } else if (id == KeywordId::not_schema) {
    lower_not(draft, in_place_block(node, model_.children_of(keyword)[0].node, kind));
  } else if (id == KeywordId::if_schema) {
    lower_if(draft, node, kind, keyword);
  } else if (kind == json::Kind::array) {
    lower_array_keyword(draft, node, keyword);
  } else if (kind == json::Kind::object) {
    lower_object_keyword(draft, node, keyword);
  }
}

BlockId Lowering::seal(const Draft& draft) {
  if (draft.fails) return kFail;
  if (draft.code.empty()) return kPass;
  Block block;
  block.first = static_cast<std::uint32_t>(program_.instructions.size());
  block.count = static_cast<std::uint32_t>(draft.code.size());
  block.cost = block.count;
  program_.instructions.insert(program_.instructions.end(), draft.code.begin(), draft.code.end());
  const bool members = block.count == 1 && draft.code.front().op == Op::members;
  if (members) block.table = draft.code.front().a;
  program_.blocks.push_back(block);
  const auto id = static_cast<BlockId>(program_.blocks.size() - 1);
  if (members) return id | kMembersBlock;
  return std::ranges::all_of(draft.code, is_leaf, &Instruction::op) ? id | kLeafBlock : id;
}

/// The schemas that were asked for on the way: conjunctions and scope changes. Their parts exist by
/// now, each before those that are made of it.
void Lowering::lower_derived() {
  for (const Derived& derived : derived_) {
    if (program_.instructions.size() > limits_.instructions) {
      too_large_ = {model_.root, "", "the compiled form of the schema is too large"};
      return;
    }
    for (const json::Kind kind : kAllKinds) {
      Draft draft;
      for (const SchemaId part : derived.parts) {
        const BlockId block = program_.entries[part].block[index_of(kind)];
        if (block > kFail && derived.resource != kNone) {
          draft.code.push_back(instruction(Op::enter, block, derived.resource));
        } else {
          append_block(draft, block);
        }
      }
      program_.entries[derived.schema].block[index_of(kind)] = seal(draft);
    }
  }
}

/// All instructions of a block, or a call of it if they are many.
void Lowering::append_block(Draft& draft, BlockId block) {
  if (block == kPass) return;
  if (block == kFail) {
    draft.fails = true;
    return;
  }
  const Block& body = program_.blocks[index_of(block)];
  const bool room = program_.instructions.size() + draft.code.size() < limits_.instructions / 2;
  if (body.count > kInlineInstructions || !room) {
    draft.code.push_back(instruction(Op::call, block));
    return;
  }
  const auto first = program_.instructions.begin() + body.first;
  draft.code.insert(draft.code.end(), first, first + body.count);
}

BlockId Lowering::block_of(NodeId node, json::Kind kind) const {
  return program_.entries[kFirstNode + node].block[index_of(kind)];
}

bool Lowering::enters_scope(NodeId from, NodeId to) const {
  const std::uint32_t resource = model_.nodes[to].resource;
  return program_.dynamic_scope && resource != model_.nodes[from].resource &&
         !model_.resources[resource].dynamic_anchors.empty();
}

SchemaId Lowering::schema_at(NodeId from, NodeId to) {
  const json::Value& schema = *model_.nodes[to].schema;
  if (schema.is_boolean()) return schema.as_bool() ? kTrueSchema : kFalseSchema;
  if (schema.size() == 0) return kTrueSchema;
  if (!enters_scope(from, to)) return kFirstNode + to;
  const auto [known, fresh] = scoped_.try_emplace(to, kTrueSchema);
  if (fresh) {
    known->second = static_cast<SchemaId>(program_.entries.size());
    program_.entries.emplace_back();
    derived_.push_back({known->second, {kFirstNode + to}, model_.nodes[to].resource});
  }
  return known->second;
}

std::uint32_t Lowering::add_name(std::string_view text) {
  program_.names.push_back(make_name(text));
  return static_cast<std::uint32_t>(program_.names.size() - 1);
}

}  // namespace interline::schema

// Lowers a Model into a Program: each subschema for each kind of instance, keywords merged where
// they are one test, what is decided at compile time left out, small references copied in.
#pragma once

#include <array>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "schema/model.hpp"
#include "schema/program.hpp"
#include "schema/schema.hpp"

namespace interline::schema {

/// A block being written: instructions, or the knowledge that it never holds.
struct Draft {
  std::vector<Instruction> code;
  bool fails = false;
};

/// What one schema marks as evaluated, before it becomes a MarkBlock.
struct MarkDraft {
  bool all = false;
  std::vector<std::string_view> names;
  std::vector<std::uint32_t> patterns;
  std::uint32_t prefix = 0;
  std::vector<MarkStep> steps;
};

class Lowering {
 public:
  /// A limit that was exceeded, and where.
  struct TooLarge {
    NodeId node;
    std::string_view keyword;
    std::string_view message;
  };

  Lowering(const Model& model, Program& program, const CompileLimits& limits)
      : model_(model), program_(program), limits_(limits), pattern_steps_(limits.pattern_work) {}

  /// `order` from in_place_order().
  [[nodiscard]] std::expected<void, TooLarge> run(std::span<const NodeId> order);

 private:
  /// What is asked of the member of one name, but for patterns.
  struct MemberName {
    SchemaId schema = kTrueSchema;
    bool known = false;  ///< not one of the rest
    bool required = false;
  };
  struct MemberDraft {
    SchemaId rest = kTrueSchema;
    std::vector<PatternRow> patterns;
    std::unordered_map<std::string_view, MemberName> names;
  };

  static constexpr std::uint32_t kInlineInstructions = 16;
  static constexpr std::uint32_t kLinearStrings = 6;

  // lower.cpp
  BlockId lower(NodeId node, json::Kind kind);
  void lower_keyword(Draft& draft, NodeId node, json::Kind kind, const Keyword& keyword);
  BlockId seal(const Draft& draft);
  void lower_derived();
  std::uint32_t add_name(std::string_view text);
  [[nodiscard]] BlockId block_of(NodeId node, json::Kind kind) const;
  /// The schema of a child or reference, in the dynamic scope it enters.
  SchemaId schema_at(NodeId from, NodeId to);
  [[nodiscard]] bool enters_scope(NodeId from, NodeId to) const;
  void append_block(Draft& draft, BlockId block);

  // lower_values.cpp: type, const, enum, numbers, strings
  void lower_type(Draft& draft, json::Kind kind, const json::Value& types);
  void lower_values(Draft& draft, json::Kind kind, std::span<const json::Value> allowed);
  void lower_strings(Draft& draft, std::vector<std::string_view> allowed);
  void lower_numbers(Draft& draft, std::vector<double> allowed);
  void lower_number_keyword(Draft& draft, const Keyword& keyword);
  void lower_string_keyword(Draft& draft, NodeId node, const Keyword& keyword);

  // lower_logic.cpp: references and combinations, all applied to the same value
  void lower_in_place(Draft& draft, NodeId from, NodeId to, json::Kind kind);
  BlockId in_place_block(NodeId from, NodeId to, json::Kind kind);
  void lower_reference(Draft& draft, NodeId node, json::Kind kind, const Keyword& keyword);
  std::uint32_t dynamic_target(NodeId node, const Keyword& keyword);
  [[nodiscard]] std::optional<std::vector<std::string_view>> constants_of(
      std::span<const BlockId> branches) const;
  void lower_any_of(Draft& draft, NodeId node, json::Kind kind, const Keyword& keyword);
  void lower_one_of(Draft& draft, NodeId node, json::Kind kind, const Keyword& keyword);
  void lower_not(Draft& draft, BlockId block);
  void lower_if(Draft& draft, NodeId node, json::Kind kind, const Keyword& keyword);

  // lower_array.cpp
  void lower_array_keyword(Draft& draft, NodeId node, const Keyword& keyword);
  void lower_unevaluated_items(Draft& draft, NodeId node, const Keyword& keyword);

  // lower_object.cpp
  void lower_object_keyword(Draft& draft, NodeId node, const Keyword& keyword);
  void lower_dependencies(Draft& draft, NodeId node, const Keyword& keyword);

  // lower_members.cpp
  void lower_members(Draft& draft, NodeId node);
  void lower_required(Draft& draft, std::span<const json::Value> names);
  MemberDraft draft_members(NodeId node);
  void draft_unevaluated(MemberDraft& draft, NodeId node, const Keyword& keyword);
  SchemaId schema_of_name(NodeId node, std::string_view name, const MemberName& own,
                          const MemberDraft& draft);
  SchemaId all_of_schemas(std::vector<SchemaId> schemas);

  // lower_marks.cpp: what is evaluated, for unevaluatedItems and unevaluatedProperties
  [[nodiscard]] std::vector<bool> marked_nodes() const;
  void keep_marks(NodeId node);
  void keep_schema_marks();
  MarkDraft draft_marks(NodeId node, json::Kind kind);
  void mark_items(MarkDraft& draft, NodeId node, const Keyword& keyword);
  void mark_members(MarkDraft& draft, NodeId node, const Keyword& keyword);
  void mark_in_place(MarkDraft& draft, NodeId node, json::Kind kind, const Keyword& keyword);
  void mark_if(MarkDraft& draft, NodeId node, json::Kind kind, const Keyword& keyword);
  void mark_always(MarkDraft& draft, NodeId from, NodeId to, json::Kind kind);
  static void merge(MarkDraft& draft, const MarkDraft& marks);
  MarkStep step_to(NodeId from, NodeId to, json::Kind kind);
  MarkId seal_marks(const MarkDraft& draft);

  struct Derived {
    SchemaId schema = kTrueSchema;
    std::vector<SchemaId> parts;     ///< all of them
    std::uint32_t resource = kNone;  ///< or the one part, in this resource's scope
  };

  const Model& model_;
  Program& program_;
  std::vector<Derived> derived_;
  std::map<std::vector<SchemaId>, SchemaId> conjunctions_;
  std::unordered_map<NodeId, SchemaId> scoped_;
  std::unordered_map<std::uint32_t, std::uint32_t> dynamic_at_;       ///< by reference
  std::unordered_map<std::string_view, std::uint32_t> dynamic_rows_;  ///< by anchor
  std::array<std::unordered_map<NodeId, MarkDraft>, 2> mark_drafts_;  ///< arrays, objects
  std::array<std::unordered_map<NodeId, MarkId>, 2> mark_ids_;
  const CompileLimits& limits_;
  std::size_t pattern_steps_;
  std::optional<TooLarge> too_large_;
};

[[nodiscard]] constexpr Instruction instruction(Op op, std::uint32_t a = 0, std::uint32_t b = 0,
                                                std::uint32_t c = 0) {
  Instruction made{.op = op, .a = a, .number = 0};
  made.b = b;
  made.c = c;
  return made;
}
[[nodiscard]] constexpr Instruction instruction_on(Op op, double number) {
  return {.op = op, .a = 0, .number = number};
}

}  // namespace interline::schema

// What validate() runs: flat instructions, lowered from the Model for each kind of instance apart.
//
// A schema has one block for each JSON kind, so that `type` costs nothing and keywords that do not
// concern the kind are gone. A block is a conjunction: every instruction must hold. Block 0 always
// holds and block 1 never does; most simple subschemas are one of the two for every kind but one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "json/value.hpp"
#include "schema/decimal.hpp"
#include "schema/model.hpp"
#include "schema/name_table.hpp"

namespace interline::schema {

/// Index into Program::blocks, with what sort of block it is in the upper bits: a leaf, which
/// applies no schema, or one single `members`, the most common of those that do.
using BlockId = std::uint32_t;
inline constexpr BlockId kPass = 0;
inline constexpr BlockId kFail = 1;
inline constexpr BlockId kLeafBlock = 0x8000'0000U;
inline constexpr BlockId kMembersBlock = 0x4000'0000U;
[[nodiscard]] constexpr std::uint32_t index_of(BlockId block) {
  return block & ~(kLeafBlock | kMembersBlock);
}

/// Index into Program::entries. 0 and 1 are `true` and `false`, NodeId n is n + 2, then come those
/// that no subschema stands for by itself.
using SchemaId = std::uint32_t;
inline constexpr SchemaId kTrueSchema = 0;
inline constexpr SchemaId kFalseSchema = 1;
inline constexpr SchemaId kFirstNode = 2;

using MarkId = std::uint32_t;
inline constexpr MarkId kMarksNothing = 0;
inline constexpr MarkId kMarksAll = 1;

inline constexpr std::size_t kKinds = 6;
[[nodiscard]] constexpr std::size_t index_of(json::Kind kind) {
  return static_cast<std::size_t>(kind);
}

// What a, b, c and number mean stands beside each. "block" is a BlockId for the same kind. The
// first ones apply no schema and are what leaf blocks are made of.
enum class Op : std::uint8_t {
  boolean_is,           // a: 0 or 1
  integer,              //
  minimum,              // number
  exclusive_minimum,    // number
  maximum,              // number
  exclusive_maximum,    // number
  multiple_of,          // a into divisors
  number_is,            // number
  number_in,            // a first, b count: sorted, into numbers
  min_length,           // a
  max_length,           // a
  pattern,              // a into Model::patterns
  format,               // a Format
  string_is,            // a into names
  string_in,            // a first, b count: into names
  string_in_table,      // a into name_tables
  value_in,             // a first, b count: sorted by hash, into values
  min_size,             // a: items or members
  max_size,             // a
  unique_items,         //
  required,             // a first, b count: into names
  dependent_required,   // a first, b count: into names; the first of them is the condition
  call,                 // a block: the first that is no leaf
  enter,                // a block, b resource: the same, in the dynamic scope of that resource
  dynamic,              // a into dynamics
  any_of,               // a first, b count: blocks, into lists
  one_of,               // likewise
  not_block,            // a block
  choose,               // a block, and lists[b], lists[b + 1]: blocks for yes and no
  prefix,               // a first, b count: schemas, into lists
  items,                // a schema, b from
  contains,             // a schema, b minimum, c maximum
  members,              // a into members
  member_names,         // a schema, of each name
  dependent_block,      // a into names, b block
  unevaluated_items,    // a schema, b MarkId
  unevaluated_members,  // a schema, b MarkId
};

[[nodiscard]] constexpr bool is_leaf(Op op) {
  return op < Op::call;
}

struct Instruction {
  Op op = Op::call;
  std::uint32_t a = 0;
  union {
    double number;
    struct {
      std::uint32_t b;
      std::uint32_t c;
    };
  };
};
static_assert(sizeof(Instruction) == 16);

struct Block {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  std::uint32_t cost = 0;   ///< steps, before those that depend on the instance
  std::uint32_t table = 0;  ///< of a kMembersBlock: into Program::members
};

/// The block of a schema for each kind.
struct Entry {
  std::array<BlockId, kKinds> block{};
};

struct PatternRow {
  std::uint32_t pattern = 0;
  SchemaId schema = kTrueSchema;
};

/// properties, patternProperties, additionalProperties and required as one pass over the members.
/// A name in the table has its patterns already worked into its schema.
struct MemberTable {
  NameTable names;
  std::uint32_t first_pattern = 0;
  std::uint32_t pattern_count = 0;
  SchemaId additional = kTrueSchema;  ///< for names neither in the table nor matched
  std::uint32_t required = 0;         ///< how many names of the table must be there
};

/// A $dynamicRef that is only decided in the dynamic scope.
struct DynamicTarget {
  std::uint32_t first = 0;  ///< into dynamic_rows, `count` of them
  std::uint32_t count = 0;
  SchemaId fallback = kTrueSchema;
};
struct DynamicRow {
  std::uint32_t resource = 0;
  SchemaId schema = kTrueSchema;
};

struct HashedValue {
  std::uint64_t hash = 0;
  const json::Value* value = nullptr;
};

/// Which members or items a schema evaluates, once it is known to hold (Core 11): for
/// unevaluatedProperties and unevaluatedItems where that depends on the instance.
struct MarkBlock {
  bool all = false;
  NameTable names;
  bool has_names = false;
  std::uint32_t first_pattern = 0;  ///< into mark_patterns
  std::uint32_t pattern_count = 0;
  std::uint32_t prefix = 0;  ///< so many items from the front
  std::uint32_t first_step = 0;
  std::uint32_t step_count = 0;
};
struct MarkStep {
  enum class Kind : std::uint8_t {
    always,    // a
    when,      // a, if block `condition` holds
    choose,    // a if block `condition` holds, else b
    present,   // a, if the object has the member names[condition]
    matching,  // the items for which schema `condition` holds
    dynamic,   // what dynamics[condition] leads to
  };
  Kind kind = Kind::always;
  std::uint32_t condition = 0;
  MarkId a = kMarksNothing;
  MarkId b = kMarksNothing;
  std::uint32_t resource = kNone;  ///< whose dynamic scope `a` is in, if it changes
};

struct Program {
  std::vector<Instruction> instructions;
  std::vector<Block> blocks;
  std::vector<Entry> entries;
  std::vector<std::uint32_t> lists;
  std::vector<double> numbers;
  std::vector<Divisor> divisors;
  std::vector<Name> names;
  std::vector<NameSlot> slots;
  std::vector<NameTable> name_tables;
  std::vector<HashedValue> values;
  std::vector<MemberTable> members;
  std::vector<PatternRow> patterns;
  std::vector<DynamicTarget> dynamics;
  std::vector<DynamicRow> dynamic_rows;
  std::vector<MarkBlock> marks;
  std::vector<MarkStep> mark_steps;
  std::vector<std::uint32_t> mark_patterns;
  /// By SchemaId, for arrays and for objects; only filled where there are `dynamic` steps.
  std::vector<std::array<MarkId, 2>> schema_marks;
  SchemaId root = kTrueSchema;
  bool dynamic_scope = false;
  std::uint32_t root_resource = 0;

  [[nodiscard]] std::size_t memory() const;
};

}  // namespace interline::schema

#include "schema/machine.hpp"

#include <algorithm>

#include "schema/decimal.hpp"

namespace interline::schema {

Verdict Machine::validate(const json::Value& instance) {
  if (program_.dynamic_scope) push_scope(program_.root_resource);
  const bool holds = apply(program_.root, instance);
  if (exceeded_) return Verdict::budget_exceeded;
  return holds ? Verdict::valid : Verdict::invalid;
}

[[gnu::always_inline]] inline bool Machine::test(const Instruction& in, const json::Value& value) {
  switch (in.op) {
    case Op::boolean_is:
      return value.as_bool() == (in.a != 0);
    case Op::integer:
      return is_integer(value);
    case Op::minimum:
      return value.as_double() >= in.number;
    case Op::exclusive_minimum:
      return value.as_double() > in.number;
    case Op::maximum:
      return value.as_double() <= in.number;
    case Op::exclusive_maximum:
      return value.as_double() < in.number;
    case Op::multiple_of:
      return spend(multiple_steps(value, program_.divisors[in.a])) &&
             is_multiple(value, program_.divisors[in.a]);
    case Op::number_is:
      return value.as_double() == in.number;
    case Op::number_in:
      return number_in(in, value.as_double());
    case Op::min_length:
      return min_length(value.as_string(), in.a);
    case Op::max_length:
      return max_length(value.as_string(), in.a);
    case Op::pattern:
      return search(in.a, value.as_string());
    case Op::format:
      return in_format(in.a, value.as_string());
    case Op::string_is:
      return equal_text(program_.names[in.a].view(), value.as_string());
    case Op::string_in:
      return string_in(in, value.as_string());
    case Op::string_in_table:
      return string_in_table(in, value.as_string());
    case Op::value_in:
      return value_in(in, value);
    case Op::min_size:
      return value.size() >= in.a;
    case Op::max_size:
      return value.size() <= in.a;
    case Op::unique_items:
      return unique_items(value.items());
    case Op::required:
      return required(in, value);
    case Op::dependent_required:
      return dependent_required(in, value);
    default:
      return false;
  }
}

bool Machine::run_leaf(BlockId id, const json::Value& value) {
  const Block& block = blocks_[index_of(id)];
  if (!spend(block.cost)) return false;
  const Instruction* in = instructions_ + block.first;
  const Instruction* const end = in + block.count;
  while (in != end && test(*in, value)) ++in;
  return in == end;
}

[[gnu::always_inline]] inline bool Machine::execute(const Instruction& in,
                                                    const json::Value& value) {
  switch (in.op) {
    case Op::call:
      return run(in.a, value);
    case Op::enter:
      return enter(in.b, in.a, value);
    case Op::dynamic:
      return dynamic(in, value);
    case Op::any_of:
      return any_of(in, value);
    case Op::one_of:
      return one_of(in, value);
    case Op::not_block:
      return not_block(in, value);
    case Op::choose:
      return choose(in, value);
    case Op::prefix:
      return prefix(in, value.items());
    case Op::items:
      return items(in, value.items());
    case Op::contains:
      return contains(in, value.items());
    case Op::members:
      return members(members_[in.a], value.members());
    case Op::member_names:
      return member_names(in, value.members());
    case Op::dependent_block: {
      const Name& name = program_.names[in.a];
      return value.find(name.view(), name.hash) == nullptr || run_any(in.b, value);
    }
    case Op::unevaluated_items:
    case Op::unevaluated_members:
      return unevaluated(in, value);
    default:
      return test(in, value);
  }
}

bool Machine::run_tree(BlockId id, const json::Value& value) {
  const Block& block = blocks_[index_of(id)];
  if (depth_ == 0 || steps_ < block.cost) return exceed();
  steps_ -= block.cost;
  --depth_;
  const Instruction* in = instructions_ + block.first;
  const Instruction* const end = in + block.count;
  while (in != end && execute(*in, value)) ++in;
  ++depth_;
  return in == end;
}

bool Machine::any_of(const Instruction& in, const json::Value& value) {
  for (const BlockId branch : std::span(program_.lists).subspan(in.a, in.b)) {
    if (run(branch, value)) return true;
    if (exceeded_) return false;
  }
  return false;
}

bool Machine::one_of(const Instruction& in, const json::Value& value) {
  bool found = false;
  for (const BlockId branch : std::span(program_.lists).subspan(in.a, in.b)) {
    if (run(branch, value)) {
      if (found) return false;
      found = true;
    } else if (exceeded_) {
      return false;
    }
  }
  return found;
}

bool Machine::not_block(const Instruction& in, const json::Value& value) {
  return !run(in.a, value) && !exceeded_;
}

bool Machine::choose(const Instruction& in, const json::Value& value) {
  const bool condition = run(in.a, value);
  if (exceeded_) return false;
  return run_any(program_.lists[in.b + (condition ? 0 : 1)], value);
}

/// Whether the resource was not in the scope yet: what is already there decides, being further out.
bool Machine::push_scope(std::uint32_t resource) {
  if (model_.resources[resource].dynamic_anchors.empty()) return false;
  if (std::ranges::find(scope_, resource) != scope_.end()) return false;
  scope_.push_back(resource);
  return true;
}

bool Machine::enter(std::uint32_t resource, BlockId block, const json::Value& value) {
  if (!spend(1 + scope_.size() / 4)) return false;
  const bool pushed = push_scope(resource);
  const bool holds = run(block, value);
  if (pushed) scope_.pop_back();
  return holds;
}

/// Core 8.2.3.2: the outermost resource of the dynamic scope that has the anchor.
SchemaId Machine::dynamic_schema(std::uint32_t index) {
  const DynamicTarget& target = program_.dynamics[index];
  const auto rows = std::span(program_.dynamic_rows).subspan(target.first, target.count);
  for (const std::uint32_t resource : scope_) {
    const auto row = std::ranges::lower_bound(rows, resource, {}, &DynamicRow::resource);
    if (row != rows.end() && row->resource == resource) return row->schema;
  }
  return target.fallback;
}

bool Machine::dynamic(const Instruction& in, const json::Value& value) {
  return spend(1 + scope_.size()) && apply(dynamic_schema(in.a), value);
}

}  // namespace interline::schema

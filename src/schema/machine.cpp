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

bool Machine::run(BlockId id, const json::Value& value) {
  const Block& block = program_.blocks[id];
  if (depth_ == 0 || !spend(block.cost)) return exceed();
  --depth_;
  const bool holds = execute(block, value);
  ++depth_;
  return holds;
}

bool Machine::execute(const Block& block, const json::Value& value) {
  const Instruction* in = program_.instructions.data() + block.first;
  const Instruction* const end = in + block.count;
  bool holds = true;
  for (; holds && in != end; ++in) {
    switch (in->op) {
      case Op::call:
        holds = run(in->a, value);
        break;
      case Op::enter:
        holds = enter(in->b, in->a, value);
        break;
      case Op::dynamic:
        holds = dynamic(*in, value);
        break;
      case Op::any_of:
        holds = any_of(*in, value);
        break;
      case Op::one_of:
        holds = one_of(*in, value);
        break;
      case Op::not_block:
        holds = not_block(*in, value);
        break;
      case Op::choose:
        holds = choose(*in, value);
        break;
      case Op::boolean_is:
        holds = value.as_bool() == (in->a != 0);
        break;
      case Op::integer:
        holds = is_integer(value);
        break;
      case Op::minimum:
        holds = value.as_double() >= in->number;
        break;
      case Op::exclusive_minimum:
        holds = value.as_double() > in->number;
        break;
      case Op::maximum:
        holds = value.as_double() <= in->number;
        break;
      case Op::exclusive_maximum:
        holds = value.as_double() < in->number;
        break;
      case Op::multiple_of:
        holds = spend(value.source().size() / 8) && is_multiple(value, program_.divisors[in->a]);
        break;
      case Op::number_is:
        holds = value.as_double() == in->number;
        break;
      case Op::number_in:
        holds = number_in(*in, value.as_double());
        break;
      case Op::min_length:
        holds = min_length(value.as_string(), in->a);
        break;
      case Op::max_length:
        holds = max_length(value.as_string(), in->a);
        break;
      case Op::pattern:
        holds = search(in->a, value.as_string());
        break;
      case Op::format:
        holds = in_format(in->a, value.as_string());
        break;
      case Op::string_is:
        holds = program_.names[in->a].view() == value.as_string();
        break;
      case Op::string_in:
        holds = string_in(*in, value.as_string());
        break;
      case Op::string_in_table:
        holds = string_in_table(*in, value.as_string());
        break;
      case Op::value_in:
        holds = value_in(*in, value);
        break;
      case Op::min_items:
      case Op::min_members:
        holds = value.size() >= in->a;
        break;
      case Op::max_items:
      case Op::max_members:
        holds = value.size() <= in->a;
        break;
      case Op::unique_items:
        holds = unique_items(value.items());
        break;
      case Op::prefix:
        holds = prefix(*in, value.items());
        break;
      case Op::items:
        holds = items(*in, value.items());
        break;
      case Op::contains:
        holds = contains(*in, value.items());
        break;
      case Op::required:
        holds = required(*in, value);
        break;
      case Op::members:
        holds = members(program_.members[in->a], value.members());
        break;
      case Op::member_names:
        holds = member_names(*in, value.members());
        break;
      case Op::dependent_required:
        holds = dependent_required(*in, value);
        break;
      case Op::dependent_block: {
        const Name& name = program_.names[in->a];
        holds = value.find(name.view(), name.hash) == nullptr || run_any(in->b, value);
        break;
      }
      case Op::unevaluated_items:
      case Op::unevaluated_members:
        holds = unevaluated(*in, value);
        break;
    }
  }
  return holds;
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

// Lowering, values themselves: type, const, enum, and the keywords of numbers and strings.
#include <algorithm>
#include <cmath>

#include "schema/lower.hpp"
#include "schema/shapes.hpp"
#include "schema/value_hash.hpp"

namespace interline::schema {
namespace {

bool names_type(const json::Value& types, std::string_view name) {
  if (types.is_string()) return types.as_string() == name;
  return std::ranges::any_of(types.items(),
                             [&](const json::Value& type) { return type.as_string() == name; });
}

/// A double stands for the number; beyond, json::equal compares digits.
bool is_plain(double number) {
  return std::abs(number) < 9007199254740992.0;
}

std::uint32_t clamped(std::uint64_t count) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, 0xFFFFFFFFU));
}

}  // namespace

void Lowering::lower_type(Draft& draft, json::Kind kind, const json::Value& types) {
  if (names_type(types, json::to_string(kind))) return;
  if (kind == json::Kind::number && names_type(types, "integer")) {
    draft.code.push_back(instruction(Op::integer));
  } else {
    draft.fails = true;
  }
}

void Lowering::lower_values(Draft& draft, json::Kind kind, std::span<const json::Value> allowed) {
  std::vector<std::string_view> strings;
  std::vector<double> numbers;
  std::vector<HashedValue> others;
  bool yes = false;
  bool no = false;
  bool null = false;
  for (const json::Value& value : allowed) {
    if (value.kind() != kind) continue;
    if (kind == json::Kind::null) {
      null = true;
    } else if (kind == json::Kind::boolean) {
      (value.as_bool() ? yes : no) = true;
    } else if (kind == json::Kind::string) {
      strings.push_back(value.as_string());
    } else if (kind == json::Kind::number && is_plain(value.as_double())) {
      numbers.push_back(value.as_double());
    } else {
      others.push_back({value_hash(value), &value});
    }
  }
  if (null || (yes && no)) return;
  if (yes || no) {
    draft.code.push_back(instruction(Op::boolean_is, yes ? 1 : 0));
  } else if (!strings.empty()) {
    lower_strings(draft, std::move(strings));
  } else if (others.empty() && !numbers.empty()) {
    lower_numbers(draft, std::move(numbers));
  } else if (!others.empty()) {
    // Large numbers and plain ones together: all as values.
    for (const json::Value& value : allowed) {
      if (value.kind() == kind && kind == json::Kind::number && is_plain(value.as_double())) {
        others.push_back({value_hash(value), &value});
      }
    }
    std::ranges::sort(others, {}, &HashedValue::hash);
    draft.code.push_back(instruction(Op::value_in,
                                     static_cast<std::uint32_t>(program_.values.size()),
                                     static_cast<std::uint32_t>(others.size())));
    program_.values.insert(program_.values.end(), others.begin(), others.end());
  } else {
    draft.fails = true;
  }
}

void Lowering::lower_strings(Draft& draft, std::vector<std::string_view> allowed) {
  std::ranges::sort(allowed);
  const auto repeated = std::ranges::unique(allowed);
  allowed.erase(repeated.begin(), repeated.end());
  if (allowed.size() > kLinearStrings) {
    std::vector<NameSlot> slots;
    for (const std::string_view text : allowed) slots.push_back({.name = make_name(text)});
    draft.code.push_back(
        instruction(Op::string_in_table, static_cast<std::uint32_t>(program_.name_tables.size())));
    program_.name_tables.push_back(make_name_table(program_.slots, slots));
    return;
  }
  const auto first = static_cast<std::uint32_t>(program_.names.size());
  for (const std::string_view text : allowed) add_name(text);
  draft.code.push_back(
      allowed.size() == 1
          ? instruction(Op::string_is, first)
          : instruction(Op::string_in, first, static_cast<std::uint32_t>(allowed.size())));
}

void Lowering::lower_numbers(Draft& draft, std::vector<double> allowed) {
  std::ranges::sort(allowed);
  const auto repeated = std::ranges::unique(allowed);
  allowed.erase(repeated.begin(), repeated.end());
  if (allowed.size() == 1) {
    draft.code.push_back(instruction_on(Op::number_is, allowed.front()));
    return;
  }
  draft.code.push_back(instruction(Op::number_in,
                                   static_cast<std::uint32_t>(program_.numbers.size()),
                                   static_cast<std::uint32_t>(allowed.size())));
  program_.numbers.insert(program_.numbers.end(), allowed.begin(), allowed.end());
}

void Lowering::lower_number_keyword(Draft& draft, const Keyword& keyword) {
  const double number = keyword.value->as_double();
  switch (keyword.id) {
    case KeywordId::multiple_of:
      draft.code.push_back(
          instruction(Op::multiple_of, static_cast<std::uint32_t>(program_.divisors.size())));
      program_.divisors.push_back(make_divisor(*keyword.value));
      break;
    case KeywordId::maximum:
      draft.code.push_back(instruction_on(Op::maximum, number));
      break;
    case KeywordId::exclusive_maximum:
      draft.code.push_back(instruction_on(Op::exclusive_maximum, number));
      break;
    case KeywordId::minimum:
      draft.code.push_back(instruction_on(Op::minimum, number));
      break;
    case KeywordId::exclusive_minimum:
      draft.code.push_back(instruction_on(Op::exclusive_minimum, number));
      break;
    default:
      break;
  }
}

void Lowering::lower_string_keyword(Draft& draft, NodeId node, const Keyword& keyword) {
  const ResourceDialect& dialect = model_.resources[model_.nodes[node].resource].dialect;
  switch (keyword.id) {
    case KeywordId::max_length:
      draft.code.push_back(instruction(Op::max_length, clamped(count_of(*keyword.value))));
      break;
    case KeywordId::min_length:
      if (const std::uint32_t least = clamped(count_of(*keyword.value)); least > 0) {
        draft.code.push_back(instruction(Op::min_length, least));
      }
      break;
    case KeywordId::pattern:
      draft.code.push_back(instruction(Op::pattern, keyword.index));
      break;
    case KeywordId::format:
      if (dialect.asserts_format && keyword.index != kNone) {
        draft.code.push_back(instruction(Op::format, keyword.index));
      }
      break;
    default:
      break;
  }
}

}  // namespace interline::schema

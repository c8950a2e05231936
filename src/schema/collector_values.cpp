// Collector: keywords that test the value itself.
#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "schema/collector.hpp"
#include "schema/decimal.hpp"
#include "schema/format.hpp"
#include "schema/messages.hpp"
#include "schema/shapes.hpp"
#include "schema/value_hash.hpp"

namespace interline::schema {
namespace {

bool is_of_type(const json::Value& value, std::string_view type) {
  if (type == "integer") return value.is_number() && is_integer(value);
  return json::to_string(value.kind()) == type;
}

bool is_of_types(const json::Value& value, const json::Value& types) {
  if (types.is_string()) return is_of_type(value, types.as_string());
  return std::ranges::any_of(
      types.items(), [&](const json::Value& type) { return is_of_type(value, type.as_string()); });
}

std::size_t code_points(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

bool Collector::value_keyword(const Frame& frame, const Keyword& keyword) {
  const json::Value& value = frame.value;
  bool holds = true;
  if (keyword.id == KeywordId::type) {
    holds = is_of_types(value, *keyword.value);
  } else if (keyword.id == KeywordId::const_value) {
    holds = is_one_of(value, std::span(keyword.value, 1));
  } else if (keyword.id == KeywordId::enum_values) {
    holds = is_one_of(value, keyword.value->items());
  } else if (keyword.id <= KeywordId::exclusive_minimum) {
    holds = !value.is_number() || number_keyword(value.as_double(), value, keyword);
  } else if (keyword.id <= KeywordId::format) {
    holds = !value.is_string() || string_keyword(frame.node, value.as_string(), keyword);
    if (keyword.id == KeywordId::format && holds && wants_annotations()) {
      annotate(std::string(keyword.value->source()));
    }
  } else if (value.is_array()) {
    if (keyword.id == KeywordId::max_items) holds = value.size() <= count_of(*keyword.value);
    if (keyword.id == KeywordId::min_items) holds = value.size() >= count_of(*keyword.value);
    if (keyword.id == KeywordId::unique_items) {
      holds = !keyword.value->as_bool() || unique_items(value.items());
    }
  }
  return holds || fail(expectation(keyword));
}

bool Collector::number_keyword(double number, const json::Value& value, const Keyword& keyword) {
  const double limit = keyword.value->as_double();
  switch (keyword.id) {
    case KeywordId::multiple_of: {
      const Divisor divisor = make_divisor(*keyword.value);
      return spend(multiple_steps(value, divisor)) && is_multiple(value, divisor);
    }
    case KeywordId::maximum:
      return number <= limit;
    case KeywordId::exclusive_maximum:
      return number < limit;
    case KeywordId::minimum:
      return number >= limit;
    default:
      return number > limit;
  }
}

bool Collector::string_keyword(NodeId node, std::string_view text, const Keyword& keyword) {
  switch (keyword.id) {
    case KeywordId::max_length:
      return spend(text.size() / 32) && code_points(text) <= count_of(*keyword.value);
    case KeywordId::min_length:
      return spend(text.size() / 32) && code_points(text) >= count_of(*keyword.value);
    case KeywordId::pattern: {
      const Match match = model_.patterns[keyword.index].search(text, steps_);
      if (match == Match::budget_exceeded) exceeded_ = true;
      return match == Match::yes;
    }
    default: {
      const bool asserts = model_.resources[model_.nodes[node].resource].dialect.asserts_format;
      if (!asserts || keyword.index == kNone) return true;
      return spend(text.size() / 4) && holds(static_cast<Format>(keyword.index), text);
    }
  }
}

bool Collector::unique_items(std::span<const json::Value> items) {
  std::unordered_multimap<std::uint64_t, const json::Value*> seen;
  for (const json::Value& item : items) {
    if (!spend(value_cost(item))) return false;
    const std::uint64_t hash = value_hash(item);
    const auto [first, last] = seen.equal_range(hash);
    for (auto other = first; other != last; ++other) {
      if (!spend(value_cost(item)) || json::equal(item, *other->second)) return false;
    }
    seen.emplace(hash, &item);
  }
  return true;
}

bool Collector::is_one_of(const json::Value& value, std::span<const json::Value> allowed) {
  for (const json::Value& candidate : allowed) {
    if (candidate.kind() != value.kind()) continue;
    if (!spend(1 + std::min(value_cost(value), value_cost(candidate)) / 4)) return false;
    if (json::equal(value, candidate)) return true;
  }
  return false;
}

}  // namespace interline::schema

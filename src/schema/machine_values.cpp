// Machine: enums, and the keywords of strings.
#include <algorithm>

#include "json/hash.hpp"
#include "schema/format.hpp"
#include "schema/machine.hpp"
#include "schema/value_hash.hpp"

namespace interline::schema {
namespace {

/// Unicode code points of valid UTF-8.
std::size_t count_code_points(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0U) != 0x80U ? 1 : 0;
  return count;
}

}  // namespace

bool Machine::number_in(const Instruction& in, double number) {
  const auto allowed = std::span(program_.numbers).subspan(in.a, in.b);
  return std::ranges::binary_search(allowed, number);
}

bool Machine::string_in(const Instruction& in, std::string_view text) {
  for (const Name& name : std::span(program_.names).subspan(in.a, in.b)) {
    if (equal_text(name.view(), text)) return true;
  }
  return false;
}

bool Machine::string_in_table(const Instruction& in, std::string_view text) {
  if (!spend(text.size() / 16)) return false;
  return find_name(slots_, program_.name_tables[in.a], text, json::name_hash(text)) != nullptr;
}

bool Machine::value_in(const Instruction& in, const json::Value& value) {
  const std::size_t cost = value_cost(value);
  if (!spend(cost)) return false;
  const auto allowed = std::span(program_.values).subspan(in.a, in.b);
  if (allowed.size() == 1) return json::equal(*allowed.front().value, value);
  const std::uint64_t hash = value_hash(value);
  for (const HashedValue& candidate :
       std::ranges::equal_range(allowed, hash, {}, &HashedValue::hash)) {
    if (!spend(cost)) return false;
    if (json::equal(*candidate.value, value)) return true;
  }
  return false;
}

bool Machine::min_length(std::string_view text, std::size_t least) {
  if (text.size() < least) return false;
  if (text.size() / 4 >= least) return true;
  return spend(text.size() / 32) && count_code_points(text) >= least;
}

bool Machine::max_length(std::string_view text, std::size_t most) {
  if (text.size() <= most) return true;
  if (text.size() / 4 > most) return false;
  return spend(text.size() / 32) && count_code_points(text) <= most;
}

bool Machine::search(std::uint32_t pattern, std::string_view text) {
  const Match match = model_.patterns[pattern].search(text, steps_);
  if (match == Match::budget_exceeded) return exceed();
  return match == Match::yes;
}

bool Machine::in_format(std::uint32_t format, std::string_view text) {
  return spend(text.size() / 4) && holds(static_cast<Format>(format), text);
}

}  // namespace interline::schema

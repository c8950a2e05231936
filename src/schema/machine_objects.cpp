// Machine: the keywords of objects.
#include "schema/machine.hpp"

namespace interline::schema {

bool Machine::run_members(BlockId id, const json::Value& value) {
  if (depth_ == 0) return exceed();
  --depth_;
  const bool holds = members(members_[blocks_[index_of(id)].table], value.members());
  ++depth_;
  return holds;
}

bool Machine::members(const MemberTable& table, std::span<const json::Member> members) {
  if (!spend(1 + members.size())) return false;
  std::uint32_t required = 0;
  for (const json::Member& member : members) {
    if (const NameSlot* const slot = find_slot(table.names, member)) {
      required += slot->required;
      if (!apply(slot->schema, member.value)) return false;
    } else if (table.pattern_count > 0) {
      if (!other_member(table, member)) return false;
    } else if (!apply(table.additional, member.value)) {
      return false;
    }
  }
  return required == table.required;
}

/// A name that the schema does not mention: the patterns, and without a match the rest.
bool Machine::other_member(const MemberTable& table, const json::Member& member) {
  bool matched = false;
  const auto rows = std::span(program_.patterns).subspan(table.first_pattern, table.pattern_count);
  if (!spend(rows.size())) return false;
  for (const PatternRow& row : rows) {
    if (search(row.pattern, member.name())) {
      matched = true;
      if (!apply(row.schema, member.value)) return false;
    } else if (exceeded_) {
      return false;
    }
  }
  return matched || apply(table.additional, member.value);
}

bool Machine::required(const Instruction& in, const json::Value& object) {
  if (object.size() < in.b) return false;
  for (const Name& name : std::span(program_.names).subspan(in.a, in.b)) {
    if (!spend(1) || object.find(name.view(), name.hash) == nullptr) return false;
  }
  return true;
}

bool Machine::member_names(const Instruction& in, std::span<const json::Member> members) {
  if (!spend(members.size())) return false;
  for (const json::Member& member : members) {
    if (!apply(in.a, json::Value::of_text(member.name()))) return false;
  }
  return true;
}

bool Machine::dependent_required(const Instruction& in, const json::Value& object) {
  const auto names = std::span(program_.names).subspan(in.a, in.b);
  if (object.find(names[0].view(), names[0].hash) == nullptr) return true;
  if (object.size() < names.size() && !spend(1)) return false;
  for (const Name& name : names.subspan(1)) {
    if (!spend(1) || object.find(name.view(), name.hash) == nullptr) return false;
  }
  return true;
}

}  // namespace interline::schema

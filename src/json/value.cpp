#include "json/value.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include "json/decimal.hpp"
#include "json/document.hpp"
#include "json/hash.hpp"
#include "json/name_index.hpp"

namespace interline::json {
namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53

bool equal_numbers(const Value& a, const Value& b) {
  if (a.as_double() != b.as_double()) return false;
  if (std::fabs(a.as_double()) < kExactIntegers) return true;
  return detail::same_decimal(a.as_number_text(), b.as_number_text());
}

using Pair = std::pair<const Value*, const Value*>;

/// Queues the members for comparison; false if the names differ.
bool pair_members(std::span<const Member> a, std::span<const Member> b,
                  std::vector<Pair>& pending) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    // Most equal objects have the same order.
    const Member* other = &b[i];
    if (!detail::same_name(*other, a[i].name(), a[i].name_hash)) {
      other = detail::find_member(b, a[i].name(), a[i].name_hash);
      if (other == nullptr) return false;
    }
    pending.emplace_back(&a[i].value, &other->value);
  }
  return true;
}

/// Compares what can be compared at once and queues the children of arrays and objects.
bool equal_shallow(const Value& a, const Value& b, std::vector<Pair>& pending) {
  if (a.kind() != b.kind() || a.size() != b.size()) return false;
  switch (a.kind()) {
    case Kind::null:
      return true;
    case Kind::boolean:
      return a.as_bool() == b.as_bool();
    case Kind::number:
      return equal_numbers(a, b);
    case Kind::string:
      return a.as_string() == b.as_string();
    case Kind::array:
      for (std::size_t i = 0; i < a.size(); ++i) {
        pending.emplace_back(&a.items()[i], &b.items()[i]);
      }
      return true;
    case Kind::object:
      return pair_members(a.members(), b.members(), pending);
  }
  return false;
}

}  // namespace

std::string_view to_string(Kind kind) {
  static constexpr std::string_view kNames[] = {"null",   "boolean", "number",
                                                "string", "array",   "object"};
  return kNames[static_cast<std::size_t>(kind)];
}

const Value* Value::find(std::string_view name) const {
  if (!is_object() || size_ == 0) return nullptr;
  if (size_ > detail::kScannedMembers) return find(name, name_hash(name));
  for (const Member& member : members()) {
    if (member.name() == name) return &member.value;
  }
  return nullptr;
}

const Value* Value::find(std::string_view name, std::uint32_t hash) const {
  if (!is_object()) return nullptr;
  const Member* const member = detail::find_member(members(), name, hash);
  return member == nullptr ? nullptr : &member->value;
}

std::optional<std::int64_t> Value::get_int64() const {
  if (!is_number()) return std::nullopt;
  if ((size_ & kSmallInteger) != 0) return static_cast<std::int64_t>(number_);
  return detail::to_int64(source());
}

bool equal(const Value& a, const Value& b) {
  std::vector<Pair> pending;
  if (!equal_shallow(a, b, pending)) return false;
  while (!pending.empty()) {
    const auto [x, y] = pending.back();
    pending.pop_back();
    if (!equal_shallow(*x, *y, pending)) return false;
  }
  return true;
}

Document::Document(std::unique_ptr<Storage> storage)
    : storage_(std::move(storage)), root_(&storage_->root) {}
Document::Document(Document&&) noexcept = default;
Document& Document::operator=(Document&&) noexcept = default;
Document::~Document() = default;

std::string_view Document::text() const {
  return storage_->text;
}

std::size_t Document::memory() const {
  return sizeof(Storage) + storage_->arena.held() + storage_->owned_text.capacity();
}

}  // namespace interline::json

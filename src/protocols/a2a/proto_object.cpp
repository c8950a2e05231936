#include "protocols/a2a/proto_object.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "json/parse.hpp"

namespace interline::protocols::a2a {
namespace {

constexpr bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}

/// Of a decimal text, read as JSON reads numbers.
std::optional<std::int64_t> integer_of(std::string_view text) {
  constexpr std::size_t kLongest = 32;
  if (text.size() > kLongest) return std::nullopt;
  const auto parsed = json::parse(text);
  return parsed ? parsed->root().get_int64() : std::nullopt;
}

}  // namespace

std::string proto_name(std::string_view name) {
  std::string made;
  for (const char c : name) {
    if (is_upper(c)) made += '_';
    made += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return made;
}

bool is_plain_id(std::string_view text) {
  return text.size() <= kMaxIdBytes &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7F; });
}

ProtoObject::ProtoObject(const json::Value& value, std::string path, Violations& violations)
    : value_(value), path_(std::move(path)), violations_(violations) {
  if (!value_.is_object()) violations_.add(path_, "has to be an object");
}

std::string ProtoObject::path_of(std::string_view name) const {
  return (path_.empty() ? "" : path_ + ".") + std::string(name);
}

void ProtoObject::wrong(std::string_view name, std::string description) const {
  violations_.add(path_of(name), std::move(description));
}

const json::Value* ProtoObject::find_any(std::string_view name) const {
  const json::Value* found = value_.find(name);
  if (std::ranges::none_of(name, is_upper)) return found;
  const json::Value* other = value_.find(proto_name(name));
  if (found != nullptr && other != nullptr) wrong(name, "is there in two spellings");
  return found != nullptr ? found : other;
}

const json::Value* ProtoObject::find(std::string_view name) const {
  const json::Value* found = find_any(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

std::string_view ProtoObject::text(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return {};
  if (!found->is_string()) wrong(name, "has to be a string");
  return found->get_string().value_or(std::string_view());
}

std::string_view ProtoObject::id(std::string_view name) const {
  const std::string_view found = text(name);
  if (is_plain_id(found)) return found;
  wrong(name, "has to be 1 to 128 characters of printable ASCII without spaces");
  return {};
}

std::string_view ProtoObject::required_id(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr || (found->is_string() && found->as_string().empty())) {
    wrong(name, "is required");
    return {};
  }
  return id(name);
}

bool ProtoObject::flag(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return false;
  if (!found->is_boolean()) wrong(name, "has to be true or false");
  return found->get_bool().value_or(false);
}

std::optional<std::int32_t> ProtoObject::int32(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return std::nullopt;
  std::optional<std::int64_t> number = found->get_int64();
  if (found->is_string()) number = integer_of(found->as_string());
  if (number && *number >= std::numeric_limits<std::int32_t>::min() &&
      *number <= std::numeric_limits<std::int32_t>::max()) {
    return static_cast<std::int32_t>(*number);
  }
  wrong(name, "has to be an integer of 32 bits");
  return std::nullopt;
}

std::optional<Instant> ProtoObject::timestamp(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr) return std::nullopt;
  if (found->is_string()) {
    auto instant = Instant::parse_rfc3339(found->as_string());
    if (instant) return *std::move(instant);
  }
  wrong(name, "has to be a timestamp as RFC 3339 writes it");
  return std::nullopt;
}

const json::Value* ProtoObject::object(std::string_view name) const {
  const json::Value* found = find(name);
  if (found == nullptr || found->is_object()) return found;
  wrong(name, "has to be an object");
  return nullptr;
}

void ProtoObject::each(
    std::string_view name, std::size_t most,
    const std::function<void(const json::Value&, std::string path)>& visit) const {
  const json::Value* found = find(name);
  if (found == nullptr) return;
  if (!found->is_array()) return wrong(name, "has to be an array");
  if (found->size() > most) {
    return wrong(name, "has more than " + std::to_string(most) + " elements");
  }
  for (std::size_t i = 0; i < found->size(); ++i) {
    visit(found->items()[i], path_of(name) + "[" + std::to_string(i) + "]");
  }
}

std::vector<std::string_view> ProtoObject::texts(std::string_view name, std::size_t most) const {
  std::vector<std::string_view> all;
  each(name, most, [&](const json::Value& element, std::string path) {
    if (element.is_string()) {
      all.push_back(element.as_string());
    } else {
      violations_.add(std::move(path), "has to be a string");
    }
  });
  return all;
}

}  // namespace interline::protocols::a2a

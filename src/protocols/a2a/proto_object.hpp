// Reading ProtoJSON (A2A 1.0, section 5.5; the protobuf JSON mapping): a member is found by its
// lowerCamelCase name or by the proto's own, null is absent, and what cannot be read is written
// down with its path, so that all of it can be answered at once. Unknown members are not looked at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/instant.hpp"
#include "json/value.hpp"
#include "protocols/a2a/errors.hpp"

namespace interline::protocols::a2a {

class Violations {
 public:
  void add(std::string field, std::string description) {
    if (all_.size() < kMost) all_.push_back({std::move(field), std::move(description)});
  }
  [[nodiscard]] bool none() const { return all_.empty(); }
  [[nodiscard]] const std::vector<FieldViolation>& all() const { return all_; }

 private:
  static constexpr std::size_t kMost = 20;
  std::vector<FieldViolation> all_;
};

inline constexpr std::size_t kMaxIdBytes = 128;

/// A message of the proto, as a JSON object. Views live as long as the document.
class ProtoObject {
 public:
  /// What is no object has no members, and is written down.
  ProtoObject(const json::Value& value, std::string path, Violations& violations);

  /// Both spellings at once are a violation; null is nothing.
  [[nodiscard]] const json::Value* find(std::string_view name) const;
  /// The same, where null is a value (google.protobuf.Value).
  [[nodiscard]] const json::Value* find_any(std::string_view name) const;

  [[nodiscard]] std::string_view text(std::string_view name) const;
  /// At most kMaxIdBytes of printable ASCII without spaces.
  [[nodiscard]] std::string_view id(std::string_view name) const;
  [[nodiscard]] std::string_view required_id(std::string_view name) const;
  [[nodiscard]] bool flag(std::string_view name) const;
  /// An int32: a number or its decimal text; 10.0 and 1e1 are 10.
  [[nodiscard]] std::optional<std::int32_t> int32(std::string_view name) const;
  [[nodiscard]] std::optional<Instant> timestamp(std::string_view name) const;
  /// A google.protobuf.Struct; nullptr if absent.
  [[nodiscard]] const json::Value* object(std::string_view name) const;
  /// Each element, with its path. Nothing where the member is absent. At most `most`.
  void each(std::string_view name, std::size_t most,
            const std::function<void(const json::Value&, std::string path)>& visit) const;
  [[nodiscard]] std::vector<std::string_view> texts(std::string_view name, std::size_t most) const;

  [[nodiscard]] std::string path_of(std::string_view name) const;
  void wrong(std::string_view name, std::string description) const;

 private:
  const json::Value& value_;
  std::string path_;
  Violations& violations_;
};

/// `context_id` for `contextId`.
[[nodiscard]] std::string proto_name(std::string_view name);
[[nodiscard]] bool is_plain_id(std::string_view text);

}  // namespace interline::protocols::a2a

// Members put into, exchanged in and taken out of a JSON object's text, all other bytes kept as
// they were written: what a tool wrote is never typed anew.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.hpp"

namespace interline::protocols::mcp {

/// Edits of one parsed object, which has to outlive this. No name is edited twice.
class ObjectEdit {
 public:
  /// `object` was parsed: it has a source.
  explicit ObjectEdit(const json::Value& object) : object_(object) {}

  /// In the place of the member of that name, else before all others. `json`: one JSON value.
  void set_first(std::string_view name, std::string json);
  /// In the place of the member of that name, else behind all others.
  void set(std::string_view name, std::string json);
  /// Not there afterwards.
  void drop(std::string_view name);

  /// The object as it was.
  [[nodiscard]] const json::Value& object() const { return object_; }
  [[nodiscard]] std::string text() const;

 private:
  struct Change {
    std::string name;
    std::string json;  ///< "": drop
    bool first = false;
  };
  [[nodiscard]] const Change* change_of(std::string_view name) const;

  json::Value object_;
  std::vector<Change> changes_;
};

}  // namespace interline::protocols::mcp

// Header fields in their order; several may have one name, names are compared without case.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace interline::net::http {

struct Field {
  std::string_view name;
  std::string_view value;

  Field(std::string_view field_name, std::string_view field_value)
      : name(field_name), value(field_value) {}
};

/// Views that it hands out stay valid until it is changed or moved.
class Fields {
 public:
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] Field operator[](std::size_t index) const;

  /// The first of that name.
  [[nodiscard]] std::optional<std::string_view> get(std::string_view name) const;
  [[nodiscard]] bool contains(std::string_view name) const { return get(name).has_value(); }
  [[nodiscard]] std::size_t count(std::string_view name) const;
  /// All of that name as one list (RFC 9110 section 5.3); not for Set-Cookie.
  [[nodiscard]] std::string joined(std::string_view name) const;
  /// True where an element of the list is this token ("Connection: keep-alive, Upgrade").
  [[nodiscard]] bool has_token(std::string_view name, std::string_view token) const;

  void add(std::string_view name, std::string_view value);
  /// In place of all of that name.
  void set(std::string_view name, std::string_view value);
  void remove(std::string_view name);
  void clear();

 private:
  // Positions in text_: copies and moves of the whole stay cheap and right.
  struct Entry {
    std::uint32_t name;
    std::uint32_t name_size;
    std::uint32_t value;
    std::uint32_t value_size;
  };
  [[nodiscard]] std::string_view name_of(const Entry& entry) const;
  [[nodiscard]] std::string_view value_of(const Entry& entry) const;

  std::vector<Entry> entries_;
  std::string text_;
};

}  // namespace interline::net::http

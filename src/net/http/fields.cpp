#include "net/http/fields.hpp"

#include <algorithm>

#include "net/http/text.hpp"

namespace interline::net::http {

std::string_view Fields::name_of(const Entry& entry) const {
  return std::string_view(text_).substr(entry.name, entry.name_size);
}

std::string_view Fields::value_of(const Entry& entry) const {
  return std::string_view(text_).substr(entry.value, entry.value_size);
}

Field Fields::operator[](std::size_t index) const {
  const Entry& entry = entries_.at(index);
  return {name_of(entry), value_of(entry)};
}

std::optional<std::string_view> Fields::get(std::string_view name) const {
  for (const Entry& entry : entries_) {
    if (equals_without_case(name_of(entry), name)) return value_of(entry);
  }
  return std::nullopt;
}

std::size_t Fields::count(std::string_view name) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      entries_, [&](const Entry& entry) { return equals_without_case(name_of(entry), name); }));
}

std::string Fields::joined(std::string_view name) const {
  std::string list;
  bool first = true;
  for (const Entry& entry : entries_) {
    if (!equals_without_case(name_of(entry), name)) continue;
    if (!first) list += ", ";
    first = false;
    list += value_of(entry);
  }
  return list;
}

bool Fields::has_token(std::string_view name, std::string_view token) const {
  for (const Entry& entry : entries_) {
    if (!equals_without_case(name_of(entry), name)) continue;
    std::string_view list = value_of(entry);
    while (const auto element = next_element(list)) {
      if (equals_without_case(*element, token)) return true;
    }
  }
  return false;
}

void Fields::add(std::string_view name, std::string_view value) {
  const auto at = static_cast<std::uint32_t>(text_.size());
  const auto name_size = static_cast<std::uint32_t>(name.size());
  entries_.push_back(
      Entry{at, name_size, at + name_size, static_cast<std::uint32_t>(value.size())});
  text_ += name;
  text_ += value;
}

void Fields::set(std::string_view name, std::string_view value) {
  remove(name);
  add(name, value);
}

void Fields::remove(std::string_view name) {
  std::erase_if(entries_,
                [&](const Entry& entry) { return equals_without_case(name_of(entry), name); });
}

void Fields::clear() {
  entries_.clear();
  text_.clear();
}

}  // namespace interline::net::http

#include "app/toml_reader.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <utility>

#include <toml++/toml.h>

namespace interline::app {
namespace {

using std::chrono::nanoseconds;

struct Unit {
  std::string_view suffix;
  nanoseconds length;
};
constexpr std::array<Unit, 5> kUnits = {{{"ms", std::chrono::milliseconds(1)},
                                         {"s", std::chrono::seconds(1)},
                                         {"m", std::chrono::minutes(1)},
                                         {"h", std::chrono::hours(1)},
                                         {"d", std::chrono::hours(24)}}};

std::optional<nanoseconds> parse_duration(std::string_view text) {
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || count < 0 || count > 1'000'000'000) return std::nullopt;
  const std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  const auto unit = std::ranges::find(kUnits, suffix, &Unit::suffix);
  if (unit == kUnits.end()) return std::nullopt;
  if (count > nanoseconds::max() / unit->length) return std::nullopt;
  return unit->length * count;
}

std::string in_words(nanoseconds duration) {
  for (auto unit = kUnits.rbegin(); unit != kUnits.rend(); ++unit) {
    if (duration % unit->length == nanoseconds::zero()) {
      return std::to_string(duration / unit->length).append(unit->suffix);
    }
  }
  return std::to_string(duration / std::chrono::milliseconds(1)) + "ms";
}

/// How far two words are apart, in single changes: for "did you mean".
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, change}));
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<Mistake> Mistakes::take() {
  std::ranges::stable_sort(all_, {}, &Mistake::line);
  return std::move(all_);
}

const toml::node* TomlReader::get(std::string_view key) {
  known_.emplace(key);
  return table_.get(key);
}

bool TomlReader::has(std::string_view key) const {
  return table_.contains(key);
}
std::uint32_t TomlReader::line() const {
  return table_.source().begin.line;
}

void TomlReader::wrong(const toml::node& node, std::string_view key, std::string_view expected) {
  std::string text = path_ + " " + std::string(key) + " is wrong: expected ";
  mistakes_.add(node.source().begin.line, text.append(expected));
}

void TomlReader::mistake(std::string_view key, std::string text) {
  const toml::node* node = key.empty() ? nullptr : table_.get(key);
  mistakes_.add(node == nullptr ? line() : node->source().begin.line, path_ + " " + text);
}

void TomlReader::required(std::string_view key, std::string_view example) {
  if (has(key)) return;
  mistake("", std::string("needs ").append(key).append(", for example: ").append(example));
}

void TomlReader::later(std::string_view key) {
  if (get(key) == nullptr) return;
  mistake(key, std::string(key) + " is not served by this version yet; remove it");
}

/// `${NAME}` becomes the environment variable of that name.
std::string TomlReader::expand(const toml::node& node, std::string_view key, std::string text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = text.find("${", at);
    const auto end = begin == std::string::npos ? begin : text.find('}', begin);
    if (end == std::string::npos) return out.append(text, at);
    out.append(text, at, begin - at);
    const std::string name = text.substr(begin + 2, end - begin - 2);
    const char* value = std::getenv(name.c_str());
    if (value == nullptr) {
      mistakes_.add(node.source().begin.line, path_ + " " + std::string(key) +
                                                  " uses the environment variable " + name +
                                                  ", which is not set");
    } else {
      out.append(value);
    }
    at = end + 1;
  }
  return out;
}

void TomlReader::text(std::string_view key, std::string& value) {
  const toml::node* node = get(key);
  if (node == nullptr) return;
  if (const auto read = node->value_exact<std::string>()) {
    value = expand(*node, key, *read);
  } else {
    wrong(*node, key, "a string");
  }
}

void TomlReader::flag(std::string_view key, bool& value) {
  const toml::node* node = get(key);
  if (node == nullptr) return;
  if (const auto read = node->value_exact<bool>()) {
    value = *read;
  } else {
    wrong(*node, key, "true or false");
  }
}

void TomlReader::size(std::string_view key, std::size_t& value, std::size_t least,
                      std::size_t most) {
  const toml::node* node = get(key);
  if (node == nullptr) return;
  const auto read = node->value_exact<std::int64_t>();
  if (read && *read >= 0 && static_cast<std::size_t>(*read) >= least &&
      static_cast<std::size_t>(*read) <= most) {
    value = static_cast<std::size_t>(*read);
  } else {
    wrong(*node, key, "an integer from " + std::to_string(least) + " to " + std::to_string(most));
  }
}

void TomlReader::number(std::string_view key, double& value, double least, double most) {
  const toml::node* node = get(key);
  if (node == nullptr) return;
  const auto read = node->value<double>();
  if (read && *read >= least && *read <= most) {
    value = *read;
  } else {
    wrong(*node, key, "a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
}

void TomlReader::duration(std::string_view key, nanoseconds& value, nanoseconds least,
                          nanoseconds most) {
  const toml::node* node = get(key);
  if (node == nullptr) return;
  const auto text = node->value_exact<std::string>();
  const auto read = text ? parse_duration(*text) : std::nullopt;
  if (read && *read >= least && *read <= most) {
    value = *read;
  } else {
    wrong(*node, key,
          "a duration from \"" + in_words(least) + "\" to \"" + in_words(most) +
              "\", in ms, s, m, h or d");
  }
}

void TomlReader::duration(std::string_view key, std::chrono::milliseconds& value, nanoseconds least,
                          nanoseconds most) {
  nanoseconds read = value;
  duration(key, read, least, most);
  value = std::chrono::duration_cast<std::chrono::milliseconds>(read);
}

void TomlReader::path(std::string_view key, std::filesystem::path& value,
                      const std::filesystem::path& relative_to) {
  std::string read;
  text(key, read);
  if (!read.empty()) value = relative_to / read;
}

void TomlReader::texts(std::string_view key, std::vector<std::string>& value) {
  const toml::node* node = get(key);
  if (node == nullptr) return;
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    wrong(*node, key, "an array of strings");
    return;
  }
  value.clear();
  for (const toml::node& item : *array) {
    if (const auto read = item.value_exact<std::string>()) {
      value.push_back(expand(item, key, *read));
    } else {
      wrong(item, key, "an array of strings");
      return;
    }
  }
}

void TomlReader::choice(std::string_view key, std::string& value,
                        std::span<const std::string_view> allowed) {
  std::string read = value;
  text(key, read);
  if (std::ranges::find(allowed, read) != allowed.end()) {
    value = std::move(read);
    return;
  }
  std::string words;
  for (const std::string_view word : allowed) {
    words.append(words.empty() ? "\"" : ", \"").append(word).append("\"");
  }
  mistake(key, std::string(key).append(" is wrong: expected one of ").append(words));
}

void TomlReader::pairs(std::string_view key,
                       std::vector<std::pair<std::string, std::string>>& value) {
  const toml::node* node = get(key);
  if (node == nullptr) return;
  const toml::table* inner = node->as_table();
  if (inner == nullptr) {
    wrong(*node, key, "a table of strings");
    return;
  }
  for (const auto& [name, item] : *inner) {
    if (const auto read = item.value_exact<std::string>()) {
      value.emplace_back(std::string(name.str()), expand(item, name.str(), *read));
    } else {
      wrong(item, key, "a table of strings");
    }
  }
}

void TomlReader::secret(std::string_view key, Secret& value, std::filesystem::path& file,
                        const std::filesystem::path& relative_to) {
  const std::string file_key = std::string(key) + "_file";
  if (has(key) && has(file_key)) {
    mistake(file_key, "has both " + std::string(key) + " and " + file_key + "; remove one");
  }
  std::string read;
  text(key, read);
  if (!read.empty()) value = Secret(std::move(read));
  path(file_key, file, relative_to);
}

void TomlReader::table(std::string_view key, const std::function<void(TomlReader&)>& read) {
  const toml::node* node = get(key);
  if (node == nullptr) return;
  const toml::table* inner = node->as_table();
  if (inner == nullptr) {
    wrong(*node, key, "a table");
    return;
  }
  TomlReader reader(*inner, "[" + std::string(key) + "]", mistakes_);
  read(reader);
  reader.finish();
}

void TomlReader::tables(std::string_view key, const std::function<void(TomlReader&)>& read) {
  const toml::node* node = get(key);
  if (node == nullptr) return;
  const toml::array* array = node->as_array();
  if (array == nullptr || !array->is_array_of_tables()) {
    wrong(*node, key, "tables, each under [[" + std::string(key) + "]]");
    return;
  }
  for (const toml::node& item : *array) {
    TomlReader reader(*item.as_table(), "[[" + std::string(key) + "]]", mistakes_);
    read(reader);
    reader.finish();
  }
}

void TomlReader::finish() {
  for (const auto& [name, node] : table_) {
    const std::string_view key = name.str();
    if (known_.contains(key)) continue;
    std::string text = path_.empty() ? std::string() : path_ + " ";
    text.append("has an unknown key: ").append(key);
    const auto nearest = std::ranges::min_element(
        known_, {}, [key](const std::string& known) { return distance(key, known); });
    if (nearest != known_.end() && distance(key, *nearest) <= 2) {
      text.append("; did you mean ").append(*nearest).append("?");
    }
    mistakes_.add(name.source().begin.line, std::move(text));
  }
}

}  // namespace interline::app

#include "app/toml_reader.hpp"

#include <algorithm>
#include <cstdlib>
#include <unistd.h>
#include <utility>

#include <toml++/toml.h>

#include "app/durations.hpp"

namespace interline::app {
namespace {

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

constexpr std::size_t kLongestWord = 64;  // behind it nobody is asked what they meant
constexpr std::size_t kSimilar = 2;

std::string number_text(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

bool Mistakes::has(std::uint32_t line) const {
  return std::ranges::find(all_, line, &Mistake::line) != all_.end();
}

std::vector<Mistake> Mistakes::take() {
  // Mistakes of one line stay in their order; what sorts that way in this library warns in clang.
  for (auto at = all_.begin(); at != all_.end(); ++at) {
    std::rotate(std::ranges::upper_bound(all_.begin(), at, at->line, {}, &Mistake::line), at,
                at + 1);
  }
  return std::move(all_);
}

// --- what is common -----------------------------------------------------------------------------

const toml::node* TomlReader::get(std::string_view key) {
  known_.emplace(key);
  return table_.get(key);
}

bool TomlReader::has(std::string_view key) const {
  return table_.contains(key);
}

std::string TomlReader::in_words(std::string_view key) const {
  return (path_.empty() ? std::string() : path_ + " ").append(key);
}

void TomlReader::wrong(const toml::node& node, std::string_view key, std::string_view expected) {
  mistakes_.add(node.source().begin.line,
                in_words(key).append(" is wrong: expected ").append(expected));
}

std::uint32_t TomlReader::line(std::string_view key) const {
  const toml::node* node = key.empty() ? nullptr : table_.get(key);
  return (node == nullptr ? table_.source() : node->source()).begin.line;
}

void TomlReader::mistake(std::string_view key, std::string text) {
  mistakes_.add(line(key), in_words(text));
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
      mistakes_.add(node.source().begin.line, in_words(key) + " uses the environment variable " +
                                                  name + ", which is not set");
    } else {
      out.append(value);
    }
    at = end + 1;
  }
  return out;
}

std::optional<std::string> TomlReader::read_text(std::string_view key) {
  const toml::node* node = get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto read = node->value_exact<std::string>()) return expand(*node, key, *read);
  wrong(*node, key, "a string");
  return std::nullopt;
}

void TomlReader::check_text(const toml::node& node, std::string_view key, std::string_view text,
                            TextCheck check) {
  if (check == nullptr) return;
  const Result<void> done = check(text);
  if (!done) wrong(node, key, done.error().message);
}

// --- values -------------------------------------------------------------------------------------

void TomlReader::text(Key key, std::string& value, TextCheck check) {
  auto read = read_text(key.name);
  if (!read) return;
  check_text(*table_.get(key.name), key.name, *read, check);
  value = *std::move(read);
}

void TomlReader::flag(Key key, bool& value) {
  const toml::node* node = get(key.name);
  if (node == nullptr) return;
  if (const auto read = node->value_exact<bool>()) {
    value = *read;
  } else {
    wrong(*node, key.name, "true or false");
  }
}

void TomlReader::size(Key key, std::size_t& value, std::size_t least, std::size_t most) {
  const toml::node* node = get(key.name);
  if (node == nullptr) return;
  const auto read = node->value_exact<std::int64_t>();
  if (read && *read >= 0 && static_cast<std::size_t>(*read) >= least &&
      static_cast<std::size_t>(*read) <= most) {
    value = static_cast<std::size_t>(*read);
  } else {
    wrong(*node, key.name,
          "an integer from " + std::to_string(least) + " to " + std::to_string(most));
  }
}

void TomlReader::number(Key key, double& value, double least, double most) {
  const toml::node* node = get(key.name);
  if (node == nullptr) return;
  const auto read = node->value<double>();
  if (read && *read >= least && *read <= most) {
    value = *read;
  } else {
    wrong(*node, key.name, "a number from " + number_text(least) + " to " + number_text(most));
  }
}

void TomlReader::duration(Key key, nanoseconds& value, nanoseconds least, nanoseconds most) {
  const toml::node* node = get(key.name);
  if (node == nullptr) return;
  const auto text = node->value_exact<std::string>();
  const auto read = text ? parse_duration(*text) : std::nullopt;
  if (read && *read >= least && *read <= most) {
    value = *read;
  } else {
    wrong(*node, key.name,
          "a duration from \"" + duration_text(least) + "\" to \"" + duration_text(most) +
              "\", in ms, s, m, h or d");
  }
}

void TomlReader::path(Key key, std::filesystem::path& value, bool present) {
  const auto read = read_text(key.name);
  if (!read) return;
  if (read->empty()) return mistake(key.name, std::string(key.name) + " is empty");
  value = directory_ / *read;
  std::error_code error;
  const bool readable =
      std::filesystem::is_regular_file(value, error) && ::access(value.c_str(), R_OK) == 0;
  if (present && !readable) {
    mistake(key.name, std::string(key.name) + ": there is no file to read at " + value.string());
  }
}

void TomlReader::texts(Key key, std::vector<std::string>& value, TextCheck check) {
  const toml::node* node = get(key.name);
  if (node == nullptr) return;
  const toml::array* array = node->as_array();
  if (array == nullptr) return wrong(*node, key.name, "an array of strings");
  value.clear();
  for (const toml::node& item : *array) {
    if (const auto read = item.value_exact<std::string>()) {
      value.push_back(expand(item, key.name, *read));
      check_text(item, key.name, value.back(), check);
    } else {
      wrong(item, key.name, "an array of strings");
    }
  }
}

void TomlReader::choice(Key key, std::string& value, std::span<const std::string_view> allowed) {
  auto read = read_text(key.name);
  if (!read) return;
  if (std::ranges::find(allowed, *read) != allowed.end()) {
    value = *std::move(read);
    return;
  }
  std::string words;
  for (const std::string_view word : allowed) {
    words.append(words.empty() ? "one of \"" : ", \"").append(word).append("\"");
  }
  wrong(*table_.get(key.name), key.name, words);
}

void TomlReader::pairs(Key key, std::vector<std::pair<std::string, std::string>>& value) {
  const toml::node* node = get(key.name);
  if (node == nullptr) return;
  const toml::table* inner = node->as_table();
  if (inner == nullptr) return wrong(*node, key.name, "a table of strings");
  for (const auto& [name, item] : *inner) {
    if (const auto read = item.value_exact<std::string>()) {
      value.emplace_back(std::string(name.str()), expand(item, name.str(), *read));
    } else {
      wrong(item, key.name, "a table of strings");
    }
  }
}

void TomlReader::secret(Key key, Secret& value, std::filesystem::path& file) {
  const std::string file_key = std::string(key.name) + "_file";
  if (has(key.name) && has(file_key)) {
    mistake(file_key, "has both " + std::string(key.name) + " and " + file_key + "; remove one");
  }
  const auto read = read_text(key.name);
  if (read) value = Secret(*read);
  path({file_key, key.meaning}, file, true);
}

// --- tables -------------------------------------------------------------------------------------

void TomlReader::table(Key key, const Read& read) {
  const toml::node* node = get(key.name);
  if (node == nullptr) return;
  const toml::table* inner = node->as_table();
  if (inner == nullptr) return wrong(*node, key.name, "a table");
  // A table inside another is called by both: "[[endpoint]] runtime".
  const std::string path = path_.empty() ? "[" + std::string(key.name) + "]" : in_words(key.name);
  TomlReader reader(*inner, path, directory_, mistakes_);
  read(reader);
  reader.finish();
}

void TomlReader::tables(Key key, const Read& read) {
  const toml::node* node = get(key.name);
  if (node == nullptr) return;
  const toml::array* array = node->as_array();
  const std::string path = "[[" + std::string(key.name) + "]]";
  if (array == nullptr || !array->is_array_of_tables()) {
    return wrong(*node, key.name, "tables, each under " + path);
  }
  for (const toml::node& item : *array) {
    TomlReader reader(*item.as_table(), path, directory_, mistakes_);
    read(reader);
    reader.finish();
  }
}

void TomlReader::finish() {
  for (const auto& [name, node] : table_) {
    const std::string_view key = name.str();
    if (known_.contains(key)) continue;
    std::string text = in_words("has an unknown key: ").append(key);
    const auto nearest =
        key.size() > kLongestWord
            ? known_.end()
            : std::ranges::min_element(
                  known_, {}, [key](const std::string& known) { return distance(key, known); });
    if (nearest != known_.end() && distance(key, *nearest) <= kSimilar) {
      text.append("; did you mean ").append(*nearest).append("?");
    }
    mistakes_.add(name.source().begin.line, std::move(text));
  }
}

}  // namespace interline::app

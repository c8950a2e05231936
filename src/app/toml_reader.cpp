#include "app/toml_reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <toml++/toml.h>

#include "app/durations.hpp"
#include "app/similar.hpp"
#include "schema/bounded_text.hpp"

namespace interline::app {
namespace {

std::string number_text(double number) {
  std::string text = std::to_string(number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text;
}

/// As it was written, if it is short; else what kind of thing it is.
std::string shown(const toml::node& node) {
  constexpr std::size_t kLongest = 60;
  if (const auto text = node.value_exact<std::string>()) return schema::quoted(*text, kLongest);
  if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
  if (const auto whole = node.value_exact<std::int64_t>()) return std::to_string(*whole);
  if (const auto real = node.value_exact<double>()) return number_text(*real);
  if (node.is_array()) return "an array";
  return node.is_table() ? "a table" : "a date or a time";
}

/// Whether what stands there may be for nobody's eyes.
bool is_secret(std::string_view key) {
  return key == "secret" || key.ends_with("_secret") || key.ends_with("_key");
}

/// Why a file cannot be read; "" where it can.
std::string why_not_readable(const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path whole = std::filesystem::absolute(file, error).lexically_normal();
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    return "there is no file " + whole.string() +
           " (relative paths begin at the configuration's folder)";
  }
  if (std::filesystem::is_directory(status)) return whole.string() + " is a folder, not a file";
  if (::access(file.c_str(), R_OK) == 0) return {};
  return whole.string() + " cannot be read: " + std::generic_category().message(errno) +
         "; let the gateway's user read it (chown, chmod)";
}

}  // namespace

bool Mistakes::has(std::uint32_t line) const {
  return std::ranges::find(all_, line, &Mistake::line) != all_.end();
}

void Mistakes::add(std::uint32_t line, std::string text) {
  all_.emplace(std::ranges::upper_bound(all_, line, {}, &Mistake::line), line, std::move(text));
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
  std::string text = in_words(key).append(" is wrong: expected ").append(expected);
  const auto example = examples_.find(key);
  const bool illustrated = expected.find("for example") != std::string_view::npos;
  if (example != examples_.end() && !illustrated) text += ", for example: " + example->second;
  if (!is_secret(key)) text += "; it is " + shown(node);
  wrong_.emplace(key);
  mistakes_.add(node.source().begin.line, std::move(text));
}

std::uint32_t TomlReader::line(std::string_view key) const {
  const toml::node* node = key.empty() ? nullptr : table_.get(key);
  return (node == nullptr ? table_.source() : node->source()).begin.line;
}

void TomlReader::mistake(std::string_view key, std::string text) {
  if (wrong_.contains(key)) return;  // said already
  mistakes_.add(line(key), in_words(text));
}

void TomlReader::required(std::string_view key, std::string_view example) {
  examples_.emplace(key, example);
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
  const std::string why = present ? why_not_readable(value) : std::string();
  if (!why.empty()) mistake(key.name, std::string(key.name) + ": " + why);
}

void TomlReader::texts(Key key, std::vector<std::string>& value, TextCheck check) {
  const toml::node* node = get(key.name);
  if (node == nullptr) return;
  const toml::array* array = node->as_array();
  if (array == nullptr) {
    if (examples_.contains(key.name)) value = {"*"};  // so that it is not called empty as well
    return wrong(*node, key.name, "an array of strings");
  }
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
  wrong(*table_.get(key.name), key.name, words + did_you_mean(*read, allowed));
}

void TomlReader::pairs(Key key, std::vector<std::pair<std::string, std::string>>& value) {
  const toml::node* node = get(key.name);
  if (node == nullptr) return;
  const toml::table* inner = node->as_table();
  if (inner == nullptr) return wrong(*node, key.name, "a table of strings");
  for (const auto& [name, item] : *inner) {
    if (const auto read = item.value_exact<std::string>()) {
      value.emplace_back(std::string(name.str()), expand(item, name.str(), *read));
    } else {  // not shown: it may be a secret
      mistakes_.add(item.source().begin.line,
                    in_words(name.str()) + " is wrong: expected a string");
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
  if (node->is_table()) {
    return mistake(key.name, "[" + std::string(key.name) + "] is written " + path +
                                 ", in two brackets: there may be several");
  }
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
  const std::vector<std::string_view> known(known_.begin(), known_.end());
  for (const auto& [name, node] : table_) {
    const std::string_view key = name.str();
    if (known_.contains(key)) continue;
    std::string text = in_words("has an unknown key: ").append(key);
    text += did_you_mean(key, known);
    mistakes_.add(name.source().begin.line, std::move(text));
  }
}

}  // namespace interline::app

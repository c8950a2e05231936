#include "runtimes/script/fields.hpp"

#include <algorithm>

#include "json/parse.hpp"
#include "runtimes/script/durations.hpp"
#include "schema/bounded_text.hpp"

namespace interline::runtimes::script {
namespace {

constexpr std::size_t kShownKey = 64;

const json::Value& no_table() {
  static const json::Value none{};
  return none;
}

std::string listed(std::span<const std::string_view> words) {
  std::string all;
  for (const std::string_view word : words) all.append(all.empty() ? "" : ", ").append(word);
  return all;
}

}  // namespace

void Reading::mistake(const json::Value& at, std::string what) {
  if (mistakes_.size() < kMostMistakes) mistakes_.emplace_back(text_.line(at), std::move(what));
}

std::string Reading::file(const json::Value& at, std::string_view name) {
  auto bytes = files_(name);
  if (!bytes) {
    mistake(at, std::move(bytes.error().message));
    return {};
  }
  file_bytes_ += bytes->size();
  if (bytes->size() > kFileBytes || file_bytes_ > kAllFileBytes) {
    mistake(at, std::string(name) + " is too large: a file has at most " +
                    std::to_string(kFileBytes) + " bytes, all together " +
                    std::to_string(kAllFileBytes));
    return {};
  }
  return *std::move(bytes);
}

Fields::Fields(Reading& reading, const json::Value& table, std::string path)
    : reading_(reading), table_(table.is_object() ? table : no_table()), path_(std::move(path)) {
  if (!table.is_object()) reading_.mistake(table, path_ + ": expected a table");
}

const json::Value* Fields::get(std::string_view key) {
  known_.emplace(key);
  return table_.find(key);
}

std::string_view Fields::one_of(std::span<const std::string_view> keys) {
  std::string_view found;
  bool several = false;
  for (const std::string_view key : keys) {
    if (get(key) == nullptr) continue;
    several = several || !found.empty();
    found = key;
  }
  if (!found.empty() && !several) return found;
  if (table_.is_object()) {
    mistake((several ? "expected only one of " : "expected one of ") + listed(keys));
  }
  return {};
}

void Fields::mistake(std::string_view key, std::string what) {
  const json::Value* at = table_.find(key);
  reading_.mistake(at == nullptr ? table_ : *at, path_ + ": " + std::move(what));
}

void Fields::wrong(std::string_view key, std::string_view expected) {
  mistake(key, std::string(key) + " is wrong: expected " + std::string(expected));
}

std::string Fields::text(std::string_view key) {
  const json::Value* value = get(key);
  if (value == nullptr) return {};
  if (value->is_string()) return std::string(value->as_string());
  wrong(key, "a text");
  return {};
}

std::string Fields::required_text(std::string_view key) {
  std::string read = text(key);
  const json::Value* value = table_.find(key);
  if (read.empty() && table_.is_object() && (value == nullptr || value->is_string())) {
    mistake(key, "needs " + std::string(key));
  }
  return read;
}

TextTemplate Fields::text_template(std::string_view key) {
  auto read = TextTemplate::read(text(key));
  if (read) return *std::move(read);
  mistake(key, std::move(read.error().message));
  return {};
}

JsonTemplate Fields::json_template(std::string_view key, Whole whole) {
  const json::Value* value = get(key);
  if (value == nullptr) return {};
  auto read = JsonTemplate::read(*value, whole);
  if (read) return *std::move(read);
  mistake(key, std::move(read.error().message));
  return {};
}

bool Fields::flag(std::string_view key) {
  const json::Value* value = get(key);
  if (value == nullptr) return false;
  if (!value->is_boolean()) wrong(key, "true or false");
  return value->get_bool().value_or(false);
}

std::optional<double> Fields::number(std::string_view key, double least, double most) {
  const json::Value* value = get(key);
  if (value == nullptr) return std::nullopt;
  const auto read = value->get_double();
  if (read && *read >= least && *read <= most) return read;
  wrong(key, "a number from " + std::to_string(static_cast<std::int64_t>(least)) + " to " +
                 std::to_string(static_cast<std::int64_t>(most)));
  return std::nullopt;
}

std::optional<std::int64_t> Fields::integer(std::string_view key) {
  const json::Value* value = get(key);
  if (value == nullptr) return std::nullopt;
  const auto read = value->get_int64();
  if (!read) wrong(key, "an integer");
  return read;
}

std::chrono::nanoseconds Fields::duration(std::string_view key) {
  const std::string read = text(key);
  if (read.empty()) return {};
  const auto duration = read_duration(read);
  if (!duration) wrong(key, R"(a duration up to "24h", in ms, s, m or h)");
  return duration.value_or(std::chrono::nanoseconds());
}

std::string Fields::choice(std::string_view key, std::initializer_list<std::string_view> words) {
  std::string read = text(key);
  if (read.empty() || std::ranges::find(words, read) != words.end()) return read;
  wrong(key, "one of " + listed(std::span(words.begin(), words.size())));
  return {};
}

std::vector<std::string> Fields::texts(std::string_view key, std::size_t most) {
  std::vector<std::string> read;
  for (const json::Value* item : list(key, most)) {
    if (item->is_string()) {
      read.emplace_back(item->as_string());
    } else {
      wrong(key, "an array of texts");
      break;
    }
  }
  return read;
}

std::string Fields::object(std::string_view key) {
  const json::Value* value = get(key);
  if (value == nullptr) return {};
  if (value->is_object()) return std::string(value->source());
  if (value->is_string()) {
    const auto parsed = json::parse(value->as_string(), {}, json::Numbers::faithful);
    if (parsed && parsed->root().is_object()) return std::string(parsed->root().source());
    wrong(key, parsed ? "a JSON object"
                      : "a JSON object; as JSON it has, " + json::to_string(parsed.error()));
    return {};
  }
  wrong(key, "a table, or a text that is a JSON object");
  return {};
}

std::vector<const json::Value*> Fields::list(std::string_view key, std::size_t most) {
  std::vector<const json::Value*> read;
  const json::Value* value = get(key);
  if (value == nullptr) return read;
  if (!value->is_array()) {
    wrong(key, "an array");
  } else if (value->size() > most) {
    wrong(key, "at most " + std::to_string(most) + " of them");
  } else {
    for (const json::Value& item : value->items()) read.push_back(&item);
  }
  return read;
}

void Fields::finish() {
  if (!table_.is_object()) return;
  for (const json::Member& member : table_.members()) {
    if (known_.contains(member.name())) continue;
    reading_.mistake(member.value,
                     path_ + ": has an unknown key: " + schema::quoted(member.name(), kShownKey));
  }
}

}  // namespace interline::runtimes::script

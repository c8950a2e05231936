#include "schema/messages.hpp"

#include <array>

#include "schema/bounded_text.hpp"

namespace interline::schema {
namespace {

constexpr std::size_t kMessageBytes = 256;
constexpr std::size_t kValueBytes = 80;

/// A message with one number or text of the schema's in it.
struct Sentence {
  KeywordId id;
  std::string_view before;
  std::string_view after;
};

constexpr auto kSentences = std::to_array<Sentence>({
    {KeywordId::const_value, "must be equal to ", ""},
    {KeywordId::multiple_of, "must be a multiple of ", ""},
    {KeywordId::maximum, "must be at most ", ""},
    {KeywordId::exclusive_maximum, "must be below ", ""},
    {KeywordId::minimum, "must be at least ", ""},
    {KeywordId::exclusive_minimum, "must be above ", ""},
    {KeywordId::max_length, "must have at most ", " characters"},
    {KeywordId::min_length, "must have at least ", " characters"},
    {KeywordId::pattern, "must match the pattern ", ""},
    {KeywordId::format, "must be in the format ", ""},
    {KeywordId::max_items, "must have at most ", " items"},
    {KeywordId::min_items, "must have at least ", " items"},
    {KeywordId::max_properties, "must have at most ", " members"},
    {KeywordId::min_properties, "must have at least ", " members"},
});

/// A value of the schema's as its text, on one line.
std::string shown(const json::Value& value) {
  std::string out = bounded(value.source(), kValueBytes);
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20U) c = ' ';  // white space between tokens
  }
  return bounded(printable(out), kValueBytes);
}

std::string joined(std::span<const json::Value> values, std::string_view last_separator) {
  std::string out;
  for (std::size_t i = 0; i < values.size() && out.size() < kMessageBytes; ++i) {
    if (i > 0) out += i + 1 == values.size() ? last_separator : ", ";
    out += shown(values[i]);
  }
  return out;
}

std::string types(const json::Value& value) {
  if (value.is_string()) return "must be of type " + std::string(value.as_string());
  std::string out = "must be of type ";
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (i > 0) out += i + 1 == value.size() ? " or " : ", ";
    out += value.items()[i].as_string();
  }
  return out;
}

}  // namespace

std::string expectation(const Keyword& keyword) {
  if (keyword.id == KeywordId::type) return types(*keyword.value);
  if (keyword.id == KeywordId::unique_items) return "must not have equal items";
  if (keyword.id == KeywordId::enum_values) {
    if (keyword.value->size() == 0) return "has no allowed value";
    return bounded("must be one of " + joined(keyword.value->items(), " or "), kMessageBytes);
  }
  for (const Sentence& sentence : kSentences) {
    if (sentence.id != keyword.id) continue;
    return std::string(sentence.before) + shown(*keyword.value) + std::string(sentence.after);
  }
  return std::string(kSubschema);
}

std::string missing_names(std::span<const std::string_view> names, std::string_view because_of) {
  std::string out = names.size() == 1 ? "must have the member " : "must have the members ";
  for (std::size_t i = 0; i < names.size() && out.size() < kMessageBytes; ++i) {
    if (i > 0) out += ", ";
    out += quoted(names[i], kValueBytes);
  }
  if (!because_of.empty()) out += " beside " + quoted(because_of, kValueBytes);
  return bounded(out, kMessageBytes);
}

std::string too_few_matching(const json::Value* minimum) {
  const std::string count = minimum == nullptr ? "1" : shown(*minimum);
  return "must have at least " + count + " items that match the schema";
}

std::string too_many_matching(const json::Value& maximum) {
  return "must have at most " + shown(maximum) + " items that match the schema";
}

}  // namespace interline::schema

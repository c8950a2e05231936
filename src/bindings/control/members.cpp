#include "bindings/control/members.hpp"

#include <algorithm>
#include <utility>

namespace interline::control {

Members::Members(const json::Value& object) : object_(object) {
  if (!object.is_object()) {
    mistake_.emplace(ErrorKind::malformed, "The request's body is a JSON object.");
  }
}

void Members::mistake(std::string_view name, std::string_view what) {
  if (mistake_) return;
  std::string message("\"");
  message.append(name).append("\" ").append(what).append(".");
  mistake_.emplace(ErrorKind::malformed, std::move(message));
}

const json::Value* Members::take(std::string_view name) {
  known_.push_back(name);
  const json::Value* value = object_.find(name);
  if (value != nullptr) ++taken_;
  return value;
}

void Members::text(std::string_view name, std::string& value, std::size_t longest) {
  std::optional<std::string> read;
  text(name, read, longest);
  if (read) value = *std::move(read);
}

void Members::required_text(std::string_view name, std::string& value, std::size_t longest) {
  std::optional<std::string> read;
  text(name, read, longest);
  if (!read || read->empty()) return mistake(name, "is missing: a string");
  value = *std::move(read);
}

void Members::text(std::string_view name, std::optional<std::string>& value, std::size_t longest) {
  const json::Value* found = take(name);
  if (found == nullptr) return;
  if (!found->is_string()) return mistake(name, "is a string");
  if (found->as_string().size() > longest) {
    return mistake(name, "is too long: at most " + std::to_string(longest) + " bytes");
  }
  value = std::string(found->as_string());
}

void Members::json(std::string_view name, std::optional<std::string>& value) {
  const json::Value* found = take(name);
  if (found != nullptr) value = std::string(found->source());
}

void Members::integer(std::string_view name, std::optional<std::uint64_t>& value) {
  const json::Value* found = take(name);
  if (found == nullptr) return;
  const auto read = found->is_number() ? found->get_int64() : std::nullopt;
  if (!read || *read < 0) return mistake(name, "is a whole number from 0");
  value = static_cast<std::uint64_t>(*read);
}

void Members::instant(std::string_view name, std::optional<Instant>& value) {
  const json::Value* found = take(name);
  if (found == nullptr) return;
  auto read = found->is_string() ? Instant::parse_rfc3339(found->as_string())
                                 : Result<Instant>(fail(ErrorKind::malformed, ""));
  if (!read) return mistake(name, "is a time as RFC 3339 writes it");
  value = *std::move(read);
}

void Members::texts(std::string_view name, std::optional<std::vector<std::string>>& values,
                    std::size_t most) {
  const json::Value* found = take(name);
  if (found == nullptr) return;
  const bool strings =
      found->is_array() && found->size() <= most &&
      std::ranges::all_of(found->items(), [](const json::Value& item) { return item.is_string(); });
  if (!strings) return mistake(name, "is an array of at most " + std::to_string(most) + " strings");
  values.emplace();
  for (const json::Value& item : found->items()) values->emplace_back(item.as_string());
}

const json::Value* Members::objects(std::string_view name, std::size_t most) {
  const json::Value* found = take(name);
  if (found == nullptr) return nullptr;
  const bool fits =
      found->is_array() && found->size() <= most &&
      std::ranges::all_of(found->items(), [](const json::Value& item) { return item.is_object(); });
  if (fits) return found;
  mistake(name, "is an array of at most " + std::to_string(most) + " objects");
  return nullptr;
}

Result<void> Members::finish() {
  if (!mistake_ && taken_ < object_.size()) {
    mistake_.emplace(ErrorKind::malformed, "The body has a member that is not known here. Known: ");
    for (std::size_t i = 0; i < known_.size(); ++i) {
      mistake_->message.append(i == 0 ? "" : ", ").append(known_[i]);
    }
    mistake_->message.append(".");
  }
  if (mistake_) return std::unexpected(*std::move(mistake_));
  return {};
}

}  // namespace interline::control

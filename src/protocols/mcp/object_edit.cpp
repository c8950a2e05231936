#include "protocols/mcp/object_edit.hpp"

#include "json/canonical.hpp"

namespace interline::protocols::mcp {
namespace {

/// The members of an object as they were written: name, colon and value of each, without the white
/// space and commas between them.
class Members {
 public:
  explicit Members(const json::Value& object) : at_(object.source().data() + 1) {}

  /// Of the members in their order, the next.
  std::string_view next(const json::Value& value) {
    const char* const end = value.source().data() + value.source().size();
    std::string_view text(at_, static_cast<std::size_t>(end - at_));
    at_ = end;
    text.remove_prefix(text.find_first_not_of(", \t\r\n"));
    return text;
  }

 private:
  const char* at_;
};

class Text {
 public:
  void raw(std::string_view member) { begin().append(member); }
  void member(std::string_view name, std::string_view json) {
    json::append_string(begin(), name);
    text_.append(":").append(json);
  }
  std::string end() { return std::move(text_.append("}")); }

 private:
  std::string& begin() {
    if (text_.size() > 1) text_ += ',';
    return text_;
  }
  std::string text_ = "{";
};

}  // namespace

void ObjectEdit::set_first(std::string_view name, std::string json) {
  changes_.push_back({std::string(name), std::move(json), true});
}

void ObjectEdit::set(std::string_view name, std::string json) {
  changes_.push_back({std::string(name), std::move(json), false});
}

void ObjectEdit::drop(std::string_view name) {
  changes_.push_back({std::string(name), "", false});
}

const ObjectEdit::Change* ObjectEdit::change_of(std::string_view name) const {
  for (const Change& change : changes_) {
    if (change.name == name) return &change;
  }
  return nullptr;
}

std::string ObjectEdit::text() const {
  Text text;
  const auto is_new = [this](const Change& change) {
    return !change.json.empty() && object_.find(change.name) == nullptr;
  };
  for (const Change& change : changes_) {
    if (change.first && is_new(change)) text.member(change.name, change.json);
  }
  Members members(object_);
  for (const json::Member& member : object_.members()) {
    const std::string_view written = members.next(member.value);
    const Change* change = change_of(member.name());
    if (change == nullptr) {
      text.raw(written);
    } else if (!change->json.empty()) {
      text.member(change->name, change->json);
    }
  }
  for (const Change& change : changes_) {
    if (!change.first && is_new(change)) text.member(change.name, change.json);
  }
  return text.end();
}

}  // namespace interline::protocols::mcp

#include "protocols/xmpp/event_body.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/id.hpp"
#include "base/instant.hpp"
#include "base/utf8.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"

namespace interline::protocols::xmpp {
namespace {

constexpr std::size_t kStage = 256;  // code points, as all below
constexpr std::size_t kText = 4'096;

std::unexpected<Error> wrong() {
  return fail(ErrorKind::malformed, "the body is not as its type of event has it");
}

/// Reads one object of a closed schema: what is not asked for is refused.
class Members {
 public:
  Members(const json::Value& object, std::initializer_list<std::string_view> known)
      : object_(object), good_(object.is_object()) {
    if (!good_) return;
    good_ = std::ranges::all_of(object.members(), [known](const json::Member& member) {
      return std::ranges::find(known, member.name()) != known.end();
    });
  }

  [[nodiscard]] bool good() const { return good_; }

  std::optional<std::string> text(std::string_view name, std::size_t most, bool required = false,
                                  std::size_t least = 0) {
    const json::Value* value = find(name, required);
    if (value == nullptr) return std::nullopt;
    if (!value->is_string() || value->as_string().size() < least ||
        count_code_points(value->as_string()) > most) {
      good_ = false;
      return std::nullopt;
    }
    return std::string(value->as_string());
  }
  void time(std::string_view name, bool required) {
    const json::Value* value = find(name, required);
    if (value == nullptr) return;
    if (!value->is_string() || !Instant::parse_xep0082(value->as_string())) good_ = false;
  }
  std::string object(std::string_view name, bool required) {
    const json::Value* value = find(name, required);
    if (value == nullptr) return {};
    if (!value->is_object()) good_ = false;
    return std::string(value->source());
  }
  const json::Value* find(std::string_view name, bool required) {
    const json::Value* value = good_ ? object_.find(name) : nullptr;
    if (value == nullptr && required) good_ = false;
    return value;
  }
  void require(bool condition) { good_ = good_ && condition; }

 private:
  const json::Value& object_;
  bool good_;
};

Result<EventBody> read_status(const json::Value& root) {
  Members members(root, {"state", "updatedAt"});
  const auto word = members.text("state", kText, true);
  members.time("updatedAt", true);
  if (!members.good()) return wrong();
  StatusBody body;
  if (*word == "cancelling") {
    body.state = tasks::State::cancelling;
  } else if (*word == "input_required") {
    body.state = tasks::State::input_required;
  } else if (*word != "running") {
    return wrong();
  }
  return body;
}

Result<EventBody> read_progress(const json::Value& root) {
  Members members(root, {"percent", "stage", "message"});
  ProgressBody body;
  body.stage = members.text("stage", kStage);
  body.message = members.text("message", kText);
  if (const json::Value* percent = members.find("percent", false)) {
    members.require(percent->is_number() && percent->as_double() >= 0 &&
                    percent->as_double() <= 100);
    if (members.good()) body.percent = percent->as_double();
  }
  members.require(root.size() > 0);
  if (!members.good()) return wrong();
  return body;
}

Result<EventBody> read_question(const json::Value& root) {
  Members members(root, {"requestId", "question", "inputSchema", "createdAt", "expiresAt"});
  RemoteQuestion body;
  body.request = members.text("requestId", kText, true).value_or("");
  body.text = members.text("question", kText, true, 1).value_or("");
  body.schema = members.object("inputSchema", true);
  members.time("createdAt", true);
  members.time("expiresAt", false);
  members.require(is_foreign_id(body.request));
  if (!members.good()) return wrong();
  return body;
}

Result<EventBody> read_completed(const json::Value& root) {
  Members members(root, {"result", "summary"});
  (void)members.text("summary", kText);
  CompletedBody body;
  body.result = members.object("result", true);
  if (!members.good()) return wrong();
  const json::Value& result = *root.find("result");
  Members known(result, {"content", "structuredContent", "isError", "_meta"});
  const json::Value* content = known.find("content", true);
  known.require(content != nullptr && content->is_array());
  if (const json::Value* error = known.find("isError", false)) known.require(error->is_boolean());
  (void)known.object("_meta", false);
  if (!known.good()) return wrong();
  return body;
}

Result<EventBody> read_failed(const json::Value& root) {
  Members members(root, {"error"});
  const json::Value* error = members.find("error", true);
  if (error == nullptr) return wrong();
  Members inner(*error, {"code", "message", "retryable", "details"});
  FailedBody body;
  body.failure.code = inner.text("code", 128, true, 1).value_or("");
  body.failure.message = inner.text("message", kText, true, 1).value_or("");
  body.failure.details = inner.object("details", false);
  const json::Value* retryable = inner.find("retryable", true);
  inner.require(retryable != nullptr && retryable->is_boolean());
  if (!inner.good()) return wrong();
  body.failure.retryable = retryable->as_bool();
  return body;
}

Result<EventBody> read_cancelled(const json::Value& root) {
  Members members(root, {"reason"});
  CancelledBody body;
  body.reason = members.text("reason", kText);
  if (!members.good()) return wrong();
  return body;
}

}  // namespace

Result<EventBody> read_event_body(tasks::EntryType type, std::string_view json) {
  const auto document = json::parse_borrowed(json, {}, json::Numbers::faithful);
  if (!document || !document->root().is_object()) return wrong();
  const json::Value& root = document->root();
  switch (type) {
    case tasks::EntryType::status:
      return read_status(root);
    case tasks::EntryType::progress:
      return read_progress(root);
    case tasks::EntryType::input_required:
      return read_question(root);
    case tasks::EntryType::completed:
      return read_completed(root);
    case tasks::EntryType::failed:
      return read_failed(root);
    case tasks::EntryType::cancelled:
      return read_cancelled(root);
    default:
      return wrong();
  }
}

std::string canonical_body(std::string_view json) {
  const auto document = json::parse_borrowed(json);
  return document ? json::canonical(document->root()) : std::string();
}

}  // namespace interline::protocols::xmpp

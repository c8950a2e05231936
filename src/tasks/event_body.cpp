#include "tasks/event_body.hpp"

#include <cstddef>
#include <utility>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::tasks {
namespace {

// event.schema.json, "maxLength": code points of question, message, reason and summary.
constexpr std::size_t kTextCodePoints = 4096;
constexpr std::size_t kStageCodePoints = 256;

/// The first `limit` code points of valid UTF-8.
std::string_view clip(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return text;
  std::size_t code_points = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool starts = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (starts && code_points++ == limit) return text.substr(0, i);
  }
  return text;
}

// U+FFFE and U+FFFF are legal in JSON and in no XML document. In UTF-8 both begin with these bytes.
constexpr std::string_view kNoncharacter = "\xEF\xBF";

/// A body of valid UTF-8 that every network can carry as it is: where the two stand, escapes do.
std::string for_every_network(std::string body) {
  auto at = body.find(kNoncharacter);
  if (at == std::string::npos) return body;
  std::string out;
  out.reserve(body.size() + 8);
  std::size_t kept = 0;
  for (; at != std::string::npos; at = body.find(kNoncharacter, at + 1)) {
    const auto third = static_cast<unsigned char>(body[at + 2]);  // valid UTF-8: it is there
    if (third < 0xBEU) continue;
    out.append(body, kept, at - kept).append(third == 0xBEU ? "\\ufffe" : "\\uffff");
    kept = at + 3;
  }
  return out.append(body, kept);
}

std::string shown_text(const Question& question) {
  std::string text = question.text;
  if (!question.url.empty()) text.append(text.empty() ? "" : "\n").append(question.url);
  if (text.empty()) text = "Input is needed.";
  return text;
}

/// A schema that is embedded beside others needs a base of its own, or its "#/..." references would
/// leave it (JSON Schema 2020-12 Core, 9.3, compound documents).
std::string embedded_schema(const Question& question) {
  if (question.schema.empty()) return "{}";
  const auto parsed = json::parse_borrowed(question.schema);
  if (!parsed || !parsed->root().is_object() || parsed->root().find("$id") != nullptr) {
    return question.schema;
  }
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("$id", "urn:interline:question:" + question.id);
  for (const json::Member& member : parsed->root().members()) {
    writer.member(member.name(), member.value);
  }
  writer.end_object();
  return text;
}

std::string combined_schema(const InputRequest& request) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("type", "object");
  writer.name("properties");
  writer.begin_object();
  for (const Question& question : request.questions) {
    writer.raw_member(answer_name(question), embedded_schema(question));
  }
  writer.end_object();
  writer.name("required");
  writer.begin_array();
  for (const Question& question : request.questions) writer.value(answer_name(question));
  writer.end_array();
  writer.member("additionalProperties", false);
  writer.end_object();
  return text;
}

}  // namespace

std::string body_time(SystemTime time) {
  return Instant(time).to_string(3);
}

std::string status_body(State state, SystemTime updated) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  writer.member("state", to_string(state));
  writer.member("updatedAt", body_time(updated));
  writer.end_object();
  return for_every_network(std::move(body));
}

std::string progress_body(std::optional<double> percent, const std::optional<std::string>& stage,
                          const std::optional<std::string>& message) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  if (percent) writer.member("percent", *percent);
  if (stage) writer.member("stage", clip(*stage, kStageCodePoints));
  if (message) writer.member("message", clip(*message, kTextCodePoints));
  writer.end_object();
  return for_every_network(std::move(body));
}

std::string input_required_body(const InputRequest& request) {
  std::string question;
  for (const Question& open : request.questions) {
    question.append(question.empty() ? "" : "\n").append(shown_text(open));
  }
  const bool single = request.questions.size() == 1;
  const std::string& own = request.questions.front().schema;
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  writer.member("requestId", request.id);
  writer.member("question", clip(question, kTextCodePoints));
  writer.raw_member("inputSchema", single ? (own.empty() ? "{}" : own) : combined_schema(request));
  writer.member("createdAt", body_time(request.created));
  if (const auto expiry = request.expires_at()) writer.member("expiresAt", body_time(*expiry));
  writer.end_object();
  return for_every_network(std::move(body));
}

std::string completed_body(std::string_view result, const std::optional<std::string>& summary) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  writer.raw_member("result", result);
  if (summary) writer.member("summary", clip(*summary, kTextCodePoints));
  writer.end_object();
  return for_every_network(std::move(body));
}

std::string failed_body(const Failure& failure) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  writer.name("error");
  writer.begin_object();
  writer.member("code", failure.code);
  writer.member("message", failure.message.empty() ? std::string_view("The task failed.")
                                                   : clip(failure.message, kTextCodePoints));
  writer.member("retryable", failure.retryable);
  if (!failure.details.empty()) writer.raw_member("details", failure.details);
  writer.end_object();
  writer.end_object();
  return for_every_network(std::move(body));
}

std::string cancelled_body(const std::optional<std::string>& reason) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  if (reason) writer.member("reason", clip(*reason, kTextCodePoints));
  writer.end_object();
  return for_every_network(std::move(body));
}

std::string output_body(const ArtifactChunk& chunk) {
  std::string body;
  json::Writer writer(body);
  writer.begin_object();
  writer.member("artifact", chunk.artifact);
  writer.raw_member("parts", chunk.parts);
  writer.member("append", chunk.append);
  writer.member("last", chunk.last);
  writer.end_object();
  return for_every_network(std::move(body));
}

const std::string& answer_name(const Question& question) {
  return question.key.empty() ? question.id : question.key;
}

}  // namespace interline::tasks

#include "engine/result_check.hpp"

#include <algorithm>
#include <utility>

#include "base/disclosure.hpp"
#include "engine/web_url.hpp"
#include "json/parse.hpp"
#include "schema/schema.hpp"

namespace interline::engine {
namespace {

using tasks::Failure;
namespace failure_code = tasks::failure_code;

std::unexpected<Failure> broken(std::string message) {
  return std::unexpected(
      Failure(std::string(failure_code::kInternalError), std::move(message), false));
}

/// CallToolResult (MCP): content is an array of objects; the other known members have their types.
bool is_call_tool_result(const json::Value& root) {
  const json::Value* content = root.find("content");
  if (content == nullptr || !content->is_array()) return false;
  const bool objects = std::ranges::all_of(
      content->items(), [](const json::Value& item) { return item.is_object(); });
  const json::Value* is_error = root.find("isError");
  const json::Value* meta = root.find("_meta");
  return objects && (is_error == nullptr || is_error->is_boolean()) &&
         (meta == nullptr || meta->is_object());
}

/// Details of a failure are an object of a few words, or left out.
bool is_small_object(std::string_view details) {
  constexpr std::size_t kLargest = 4'096;
  if (details.size() > kLargest) return false;
  const auto document = json::parse_borrowed(details);
  return document && document->root().is_object();
}

bool is_beyond_doubles(const std::expected<json::Document, json::ParseError>& document) {
  return !document && document.error().code == json::ParseErrorCode::number_overflow;
}

std::string_view own_fault(schema::Verdict verdict) {
  return verdict == schema::Verdict::budget_exceeded
             ? "The tool's result was too costly to check against its output schema."
             : "The tool's result does not match its output schema.";
}

}  // namespace

std::expected<std::string, Failure> check_result(std::string_view result, const catalog::Tool& tool,
                                                 const OutputLimits& limits) {
  if (result.size() > limits.result_bytes) {
    return std::unexpected(Failure(std::string(failure_code::kResultTooLarge),
                                   "The tool's result is larger than this gateway keeps.", false));
  }
  json::Limits json_limits;
  json_limits.bytes = limits.result_bytes;
  json_limits.string_bytes = limits.result_bytes;
  json_limits.depth = limits.json_depth;
  const auto document = json::parse_borrowed(result, json_limits);
  if (is_beyond_doubles(document)) {
    return broken("The tool's result has a number that no IEEE-754 double is near to.");
  }
  if (!document || !is_call_tool_result(document->root())) {
    return broken("The tool's result is not a tool result.");
  }
  const json::Value& root = document->root();
  const json::Value* structured = root.find("structuredContent");
  const json::Value* is_error = root.find("isError");
  const bool error_result = is_error != nullptr && is_error->as_bool();
  if (tool.output_schema && (structured != nullptr || !error_result)) {
    if (structured == nullptr) return broken("The tool's result lacks its structured content.");
    const schema::Verdict verdict = tool.output_schema->validate(*structured);
    if (verdict != schema::Verdict::valid) return broken(std::string(own_fault(verdict)));
  }
  return std::string(root.source());
}

std::optional<Failure> check_chunk(const tasks::ArtifactChunk& chunk, std::size_t depth) {
  json::Limits limits;
  limits.bytes = chunk.parts.size();
  limits.string_bytes = chunk.parts.size();
  limits.depth = depth;
  const auto parts = json::parse_borrowed(chunk.parts, limits);
  if (parts && parts->root().is_array()) return std::nullopt;
  return broken("The tool's output is no list of parts.").error();
}

Result<void> check_question(const AskedQuestion& question, const OutputLimits& limits) {
  if (!question.url.empty() && !is_web_url(question.url)) {
    return fail(ErrorKind::not_acceptable,
                "The question's URL is no http or https URL, or has user information in it.");
  }
  if (question.schema.empty()) return {};
  if (question.schema.size() > limits.question_schema_bytes) {
    return fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                "The question's schema is too large.");
  }
  const auto document = json::parse_borrowed(question.schema);
  if (!document) return std::unexpected(json::to_error(document.error()));
  if (!document->root().is_object()) {
    return fail(ErrorKind::not_acceptable, "The question's schema is no JSON object.");
  }
  const auto compiled = schema::Schema::compile(document->root());
  if (!compiled) return std::unexpected(schema::to_error(compiled.error()));
  return {};
}

Failure safe_failure(Failure failure) {
  const auto legal = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || c == ':' || c == '-';
  };
  constexpr std::string_view kPrefix = "interline.runtime:";
  constexpr std::size_t kLongest = 128;
  std::string& code = failure.code;
  const bool own = code == failure_code::kInternalError || code == failure_code::kUnavailable ||
                   code == failure_code::kResultTooLarge ||
                   code == kRejectedCode;  // as runtimes say of their workers
  const bool reserved = !own && code.starts_with("interline:");
  if (code.empty() || !std::ranges::all_of(code, legal) || reserved) {
    code = failure_code::kInternalError;
  } else if (!own && code.find(':') == std::string::npos) {
    code.insert(0, kPrefix);
  }
  if (code.size() > kLongest) code.resize(kLongest);
  failure.message = safe_to_show(failure.message);
  // Details are the runtime's own structure: shown as they are, or not at all.
  if (!is_small_object(failure.details) || safe_to_show(failure.details) != failure.details) {
    failure.details.clear();
  }
  return failure;
}

}  // namespace interline::engine

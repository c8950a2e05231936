// An agent as it was written down: what a reader (reader.hpp) made of a file. Plain values, shared
// by all calls and never changed.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/consultation.hpp"
#include "runtimes/script/placeholders.hpp"
#include "runtimes/script/uri_template.hpp"
#include "tasks/model.hpp"

namespace interline::runtimes::script {

struct Question {
  std::string key;
  tasks::QuestionKind kind = tasks::QuestionKind::form;
  TextTemplate text;
  /// Of a form its schema, verbatim; of sampling the request's params.
  JsonTemplate schema;
  TextTemplate url;
  std::chrono::nanoseconds expires_in{};
  bool optional = false;  ///< left out where the caller cannot answer it
};

// --- steps ---------------------------------------------------------------------------------------

/// A content block of the result: MCP's object.
struct Say {
  JsonTemplate block;
};
/// The result's structuredContent.
struct Structured {
  JsonTemplate value;
};
struct Wait {
  TextTemplate duration;  ///< "50ms", "${arguments.seconds}s"
};
struct ReportProgress {
  double percent = 0;
  TextTemplate message;
};
struct Log {
  std::string level;
  JsonTemplate data;
};
/// All at once; goes on when all are answered.
struct Ask {
  std::vector<Question> questions;
};
/// Tells that something of this agent is different now.
struct Change {
  engine::AgentChange change;
};
/// Ends the call: a result with isError.
struct ToolError {
  TextTemplate text;
};
/// Ends the call: a JSON-RPC error.
struct ProtocolError {
  std::int64_t code = 0;
  TextTemplate message;
  JsonTemplate data;  ///< an object, or empty
};

/// When a step is taken.
struct Condition {
  bool negated = false;                           ///< `unless`
  std::optional<tasks::QuestionKind> answerable;  ///< the caller can answer such questions
  std::string accepted;                           ///< that question was accepted; "": any
};

struct Step {
  using Action = std::variant<Say, Structured, Wait, ReportProgress, Log, Ask, Change, ToolError,
                              ProtocolError>;
  std::optional<Condition> condition;
  Action action;
};

// --- what the agent offers -----------------------------------------------------------------------

struct Tool {
  std::string name;
  std::string definition;    ///< MCP's Tool object
  std::vector<Step> steps;   ///< those of `prepare` first
  std::size_t prepared = 0;  ///< how many those are
};

/// Values that a client is offered while somebody types.
struct Completions {
  std::string name;  ///< of a prompt's argument, or a template's variable
  std::vector<std::string> values;
};

struct Prompt {
  std::string name;
  std::string definition;  ///< MCP's Prompt object
  std::string description;
  std::vector<std::string> required;   ///< names of arguments
  std::vector<Step> steps;             ///< questions that come first
  std::vector<JsonTemplate> messages;  ///< MCP's PromptMessage objects
  std::vector<Completions> completions;
};

/// What is in a resource.
struct Contents {
  std::string mime_type;
  TextTemplate text;
  JsonTemplate json;  ///< written as the text
  std::string blob;   ///< base64
};

struct Resource {
  std::string uri;
  std::string definition;  ///< MCP's Resource object
  Contents contents;
  std::vector<Step> steps;
};

struct ResourceTemplate {
  UriTemplate pattern;
  std::string definition;  ///< MCP's ResourceTemplate object
  Contents contents;
  std::vector<Step> steps;
  std::vector<Completions> completions;
};

struct Agent {
  std::string name = "interline-script";
  std::string version = "1";
  std::vector<Tool> tools;
  std::vector<Prompt> prompts;
  std::vector<Resource> resources;
  std::vector<ResourceTemplate> templates;
};

}  // namespace interline::runtimes::script

#include "cli/task_text.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

constexpr std::size_t kLongestLine = 400;  // bytes of other people's text on one line

std::string_view text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string_view() : value->get_string().value_or("");
}

std::string line_of(std::string_view text) {
  return schema::printable(schema::bounded(text, kLongestLine));
}

std::string progress_line(const json::Value& body) {
  std::string line;
  const auto add = [&line](std::string part) {
    if (part.empty()) return;
    line += (line.empty() ? "" : "  ") + std::move(part);
  };
  const json::Value* percent = body.find("percent");
  if (percent != nullptr && percent->is_number()) {
    add(std::to_string(std::lround(std::clamp(percent->as_double(), 0.0, 100.0))) + " %");
  }
  add(line_of(text_of(body, "stage")));
  add(line_of(text_of(body, "message")));
  return line;
}

std::string log_line(const json::Value& body) {
  const json::Value* data = body.find("data");
  if (data == nullptr) return {};
  return line_of(text_of(body, "level")) + ": " +
         line_of(data->is_string() ? data->as_string() : data->source());
}

std::int64_t number_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? 0 : value->get_int64().value_or(0);
}

/// Of a task that waits for its turn.
std::string waiting_line(const json::Value& line) {
  const std::int64_t working = number_of(line, "working");
  const std::int64_t others = std::max<std::int64_t>(number_of(line, "waiting") - 1, 0);
  if (working == 0 && others == 0) return "waits for its agent";
  std::string text = "waits for its turn: " + std::to_string(working) +
                     (working == 1 ? " call is" : " calls are") + " in work";
  if (others > 0) text += ", " + std::to_string(others) + " more in line";
  return text;
}

/// One content block: text as it is, everything else by what it is.
std::string block_text(const json::Value& block) {
  const std::string_view type = text_of(block, "type");
  if (type == "text") return std::string(text_of(block, "text"));
  if (type == "resource_link") return "[link " + std::string(text_of(block, "uri")) + "]";
  if (type == "resource") {
    const json::Value* resource = block.find("resource");
    if (resource == nullptr) return "[resource]";
    const json::Value* text = resource->find("text");
    if (text != nullptr && text->is_string()) return std::string(text->as_string());
    return "[resource " + std::string(text_of(*resource, "uri")) + "]";
  }
  return "[" + std::string(type.empty() ? "content" : type) + " " +
         std::string(text_of(block, "mimeType")) + "; --json shows it]";
}

}  // namespace

bool is_terminal_state(std::string_view state) {
  return state == "completed" || state == "failed" || state == "cancelled";
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\n\t"), text.size());
    out += schema::printable(text.substr(0, end));
    if (end < text.size()) out += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::string entry_line(const json::Value& entry) {
  const json::Value* body = entry.find("body");
  if (body == nullptr) return {};
  const std::string_view type = text_of(entry, "type");
  if (type == "status") return line_of(text_of(*body, "state"));
  if (type == "progress") return progress_line(*body);
  if (type == "input_required")
    return "waits for an answer: " + line_of(text_of(*body, "question"));
  if (type == "log") return log_line(*body);
  if (type == "output") return "output: " + line_of(text_of(*body, "artifact"));
  if (type == "held" || type == "released") return std::string(type);
  return {};  // terminal ones are said when the task is shown
}

std::string state_line(const json::Value& task) {
  const json::Value* pending = task.find("pending");
  const json::Value* body = pending == nullptr ? nullptr : pending->find("body");
  if (body != nullptr) return "waits for an answer: " + line_of(text_of(*body, "question"));
  if (task.find("held") != nullptr) return "held; waits to be approved";
  if (const json::Value* line = task.find("line")) return waiting_line(*line);
  return line_of(text_of(task, "state"));
}

std::string content_text(const json::Value& result, bool terminal) {
  std::string out;
  const json::Value* content = result.find("content");
  if (content != nullptr && content->is_array()) {
    for (const json::Value& block : content->items()) {
      const std::string text = block_text(block);
      out += terminal ? printable_lines(text) : text;
      if (!out.empty() && out.back() != '\n') out += '\n';
    }
  }
  const json::Value* structured = result.find("structuredContent");
  if (out.empty() && structured != nullptr) {
    const std::string_view text = structured->source();
    out = (terminal ? printable_lines(text) : std::string(text)) + "\n";
  }
  return out;
}

Ending ending_of(const json::Value& task) {
  Ending ending;
  const std::string_view state = text_of(task, "state");
  const json::Value* outcome = task.find("outcome");
  if (state == "completed") {
    const json::Value* result = outcome == nullptr ? nullptr : outcome->find("result");
    const json::Value* failed = result == nullptr ? nullptr : result->find("isError");
    ending.success = failed == nullptr || !failed->get_bool().value_or(false);
    if (!ending.success) ending.sentence = "the tool says that it failed";
  } else if (state == "failed") {
    const json::Value* error = outcome == nullptr ? nullptr : outcome->find("error");
    ending.sentence = "the task failed";
    if (error != nullptr) {
      ending.sentence += ": " + std::string(text_of(*error, "message")) + " (" +
                         std::string(text_of(*error, "code")) + ")";
      const json::Value* retry = error->find("retryable");
      if (retry != nullptr && retry->get_bool().value_or(false)) {
        ending.sentence += "; calling again may help";
      }
    }
  } else {
    ending.sentence = "the task was cancelled";
    const std::string_view reason = outcome == nullptr ? "" : text_of(*outcome, "reason");
    if (!reason.empty()) ending.sentence += ": " + std::string(reason);
  }
  return ending;
}

}  // namespace interline::cli

#include "runtimes/mcp/mcp_worker.hpp"

#include <utility>
#include <vector>

#include <boost/asio/post.hpp>

#include "json/parse.hpp"
#include "protocols/mcp/versions.hpp"
#include "runtimes/line_head.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace jsonrpc = protocols::jsonrpc;
namespace words = protocols::mcp;
using jsonrpc::Kind;

// Of a server's log line that belongs to no call, what reaches ours.
constexpr std::size_t kLogBytes = 2'048;

tasks::Failure not_understood(std::string why) {
  return {std::string(tasks::failure_code::kInternalError), std::move(why), false};
}

/// A JSON-RPC error as the task's failure: its code has a name of its own, "mcp:-32602".
tasks::Failure failure_of(const jsonrpc::Message& message) {
  constexpr std::size_t kLongest = 4'000;
  std::string text(message.message.substr(0, kLongest));
  return {"mcp:" + std::to_string(message.code), std::move(text), false};
}

}  // namespace

// --- what is written ---------------------------------------------------------------------------

void McpWorker::open() {
  initialize_id_ = ++last_id_;
  const std::string params = words::initialize_params(INTERLINE_VERSION, limits_.asks);
  (void)send(jsonrpc::request(std::to_string(initialize_id_), words::method::kInitialize, params));
}

bool McpWorker::write_call(const std::string& handle, Call& call) {
  call.id = ++last_id_;
  const std::string id = std::to_string(call.id);
  const engine::JobInput& input = call.job->input();
  const std::string params = words::call_params(input.tool, input.arguments, id);
  if (!send(jsonrpc::request(id, words::method::kToolsCall, params))) return false;
  by_id_.emplace(id, handle);
  return true;
}

void McpWorker::write_cancel(const std::string& /*handle*/, const Call& call) {
  const std::string id = std::to_string(call.id);
  by_id_.erase(id);
  elicits_.clear();
  (void)send(
      jsonrpc::notification(words::method::kCancelled, words::cancelled_params(id, "cancelled")));
}

bool McpWorker::write_answer(const std::string& /*handle*/, const Call& /*call*/,
                             const tasks::Answer& answer) {
  const auto asked = elicits_.find(answer.key);
  if (asked == elicits_.end()) return true;
  const std::string id = std::move(asked->second);
  elicits_.erase(asked);
  return send(
      jsonrpc::result(id, words::elicit_result(tasks::to_string(answer.action), answer.value)));
}

void McpWorker::write_list() {
  if (!hello_.has_tools) {
    listed(fail(ErrorKind::not_acceptable, "the MCP server has no tools"));
    return;
  }
  tools_ = {};
  tools_.server_name = hello_.name;
  tools_.server_version = hello_.implementation_version;
  tools_.mcp_protocol_version = hello_.version;
  pages_ = 0;
  ask_page("");
}

void McpWorker::ask_page(std::string_view cursor) {
  list_id_ = ++last_id_;
  const std::string params = words::list_params(cursor);
  if (!send(jsonrpc::request(std::to_string(list_id_), words::method::kToolsList, params))) {
    listed(fail(ErrorKind::unavailable, "the MCP server does not read its input"));
  }
}

// --- what is read ------------------------------------------------------------------------------

net::awaitable<void> McpWorker::take_line(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) co_return;
  const auto document =
      json::parse_borrowed(line, jsonrpc::limits_for(line.size()), json::Numbers::faithful);
  if (!document) {
    const std::string why = json::to_string(document.error());
    complain("a line was not understood", why);
    if (!member_of_head(line, "method")) {
      lost(member_of_head(line, "id").value_or(""),
           not_understood("The MCP server's answer is no JSON: " + why));
    }
    co_return;
  }
  const json::Value& root = document->root();
  if (!root.is_array()) {
    co_await take_message(root, line.size());
  } else if (hello_.version == words::kBatchVersion) {
    for (const json::Value& message : root.items()) {
      co_await take_message(message, message.source().size());
    }
  } else {
    complain("a line was not understood", "this revision of MCP has no batches");
  }
}

net::awaitable<void> McpWorker::take_message(const json::Value& root, std::size_t bytes) {
  const auto message = jsonrpc::read_message(root);
  if (!message) {
    complain("a line was not understood", message.error().message);
    const json::Value* id = root.find("id");
    if (id != nullptr && root.find("method") == nullptr) {
      lost(id->source(), not_understood(message.error().message));
    }
    co_return;
  }
  // Whoever gets ahead of the disk has to wait: the call that this is about, or the only one.
  std::string handle = handle_of(message->id);
  if (handle.empty()) handle = only_call();
  const Call* call = find(handle);
  const auto job = call == nullptr ? nullptr : call->job;
  switch (message->kind) {
    case Kind::result:
    case Kind::error:
      take_answer(*message);
      break;
    case Kind::request:
      take_request(*message);
      break;
    case Kind::notification:
      take_notification(*message, bytes);
      break;
  }
  if (job) co_await job->ready();
}

void McpWorker::take_answer(const Message& message) {
  if (initialize_id_ != 0 && message.id == std::to_string(initialize_id_)) {
    take_initialized(message);
  } else if (list_id_ != 0 && message.id == std::to_string(list_id_)) {
    take_page(message);
  } else if (const std::string handle = handle_of(message.id); !handle.empty()) {
    take_call_end(handle, message);
  } else if (message.kind == Kind::error && message.id.empty()) {
    complain("it could not read a message", "");
  }  // else it crossed our cancellation, came twice, or is nobody's
}

void McpWorker::take_initialized(const Message& message) {
  initialize_id_ = 0;
  if (message.kind == Kind::error) {
    give_up("it refuses to initialize");
    return;
  }
  auto hello = words::read_initialize_result(message.result);
  if (!hello) {
    give_up(hello.error().message);
    return;
  }
  hello_ = *std::move(hello);
  if (!send(jsonrpc::notification(words::method::kInitialized, ""))) return;
  set_ready();
}

void McpWorker::give_up(std::string_view why) {
  complain("the MCP server cannot be used", why);
  listed(fail(ErrorKind::not_acceptable, std::string(why)));
  end_as_failed();
}

void McpWorker::take_page(const Message& message) {
  list_id_ = 0;
  if (message.kind == Kind::error) {
    listed(fail(ErrorKind::unavailable, "the MCP server refuses to list its tools"));
    return;
  }
  const auto page = words::read_tools_page(message.result);
  if (!page) {
    listed(std::unexpected(page.error()));
    return;
  }
  const bool too_many = tools_.definitions.size() + page->definitions.size() > limits_.tools ||
                        (page->next_cursor && ++pages_ >= limits_.pages);
  if (too_many) {
    listed(fail(ErrorKind::resource_constraint, ErrorReason::too_many,
                "the MCP server lists more tools or pages than the gateway reads"));
    return;
  }
  for (const json::Value& tool : message.result.find("tools")->items()) take_tool(tool);
  if (page->next_cursor) {
    ask_page(*page->next_cursor);
  } else {
    listed(std::exchange(tools_, {}));
  }
}

void McpWorker::take_tool(const json::Value& tool) {
  if (!words::needs_server_task(tool)) {
    tools_.definitions.emplace_back(tool.source());
    return;
  }
  const json::Value* name = tool.find("name");
  tools_.losses.emplace_back(
      std::string(name == nullptr ? "" : name->get_string().value_or("")), "/execution/taskSupport",
      "the tool can only be called as a task of the MCP server's own, and was left out");
}

void McpWorker::take_call_end(const std::string& handle, const Message& message) {
  by_id_.erase(std::string(message.id));
  elicits_.clear();
  const auto job = finish(handle);
  if (!job) return;
  if (message.kind == Kind::result) {
    job->complete(std::string(message.result.source()));
  } else {
    job->fail(failure_of(message));
  }
}

void McpWorker::take_request(const Message& message) {
  if (message.method == words::method::kPing) {
    (void)send(jsonrpc::result(message.id, "{}"));
  } else if (message.method == words::method::kElicit && limits_.asks) {
    elicit(message);
  } else {
    (void)send(jsonrpc::error(message.id, jsonrpc::error_code::kMethodNotFound,
                              "This client does not offer that."));
  }
}

void McpWorker::elicit(const Message& message) {
  const auto asked = words::read_elicitation(message.params);
  if (!asked) {
    (void)send(
        jsonrpc::error(message.id, jsonrpc::error_code::kInvalidParams, asked.error().message));
    return;
  }
  const std::string handle = only_call();
  if (handle.empty()) {  // nobody is there to be asked
    (void)send(jsonrpc::result(message.id, words::elicit_result("cancel", "")));
    return;
  }
  const std::string key = "elicit-" + std::to_string(++find(handle)->asked);
  elicits_.emplace(key, message.id);
  engine::AskedQuestion question;
  question.key = key;
  question.text = asked->message;
  question.schema = asked->schema;
  std::vector<engine::AskedQuestion> questions;
  questions.push_back(std::move(question));
  auto refused = [weak = weak_from_this(), on = strand(), key](const Error&) {
    boost::asio::post(on, [weak, key] {
      const auto self = std::static_pointer_cast<McpWorker>(weak.lock());
      if (!self) return;
      const auto node = self->elicits_.extract(key);
      if (node.empty()) return;
      (void)self->send(jsonrpc::result(node.mapped(), words::elicit_result("cancel", "")));
    });
  };
  find(handle)->job->ask(std::move(questions), std::nullopt, std::move(refused));
}

void McpWorker::take_notification(const Message& message, std::size_t bytes) {
  if (message.method == words::method::kProgress) {
    take_progress(message, bytes);
  } else if (message.method == words::method::kMessage) {
    take_log(message, bytes);
  } else if (message.method == words::method::kToolsChanged && ready()) {
    log().debug("an MCP server's tools have changed; they are read at the next reload");
  }
}

void McpWorker::take_progress(const Message& message, std::size_t bytes) {
  auto progress = words::read_progress(message.params);
  if (!progress) {
    complain("a notification was not understood", progress.error().message);
    return;
  }
  const std::string handle = handle_of(progress->token);
  if (handle.empty() || !count_output(handle, bytes)) return;
  engine::ProgressReport report;
  report.percent = progress->percent;
  if (!progress->message.empty()) report.message = std::move(progress->message);
  find(handle)->job->progress(std::move(report));
}

void McpWorker::take_log(const Message& message, std::size_t bytes) {
  const auto line = words::read_log(message.params);
  if (!line) {
    complain("a notification was not understood", line.error().message);
    return;
  }
  const std::string handle = only_call();
  if (handle.empty()) {
    note_output(line->data.substr(0, kLogBytes));
  } else if (count_output(handle, bytes)) {
    find(handle)->job->log(std::string(line->level), std::string(line->data));
  }
}

// --- what cannot be read -----------------------------------------------------------------------

void McpWorker::take_cut_line(const net::Line& line) {
  if (member_of_head(line.text, "method")) return;  // nobody waits for that
  const auto head = member_of_head(line.text, "id");
  const auto id = head ? head : number_at_tail(line.tail, "id");
  if (id) {
    lost(*id, too_large());
  } else {
    fail_all(too_large());
  }
}

/// The answer to that request came, and cannot be read.
void McpWorker::lost(std::string_view id, const tasks::Failure& failure) {
  if (initialize_id_ != 0 && id == std::to_string(initialize_id_)) {
    give_up(failure.message);
  } else if (list_id_ != 0 && id == std::to_string(list_id_)) {
    list_id_ = 0;
    listed(fail(ErrorKind::malformed, failure.message));
  } else if (const std::string handle = handle_of(id); !handle.empty()) {
    fail_call(handle, failure);
  }
}

std::string McpWorker::handle_of(std::string_view id) const {
  const auto found = by_id_.find(std::string(id));
  return found == by_id_.end() ? std::string() : found->second;
}

std::string McpWorker::only_call() const {
  return by_id_.size() == 1 ? by_id_.begin()->second : std::string();
}

}  // namespace interline::runtimes::mcp

// What an MCP server's process writes, line by line.
#include <utility>

#include "json/line_head.hpp"
#include "json/parse.hpp"
#include "protocols/mcp/notifications.hpp"
#include "protocols/mcp/request_meta.hpp"
#include "protocols/mcp/versions.hpp"
#include "runtimes/mcp/mcp_worker.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace jsonrpc = protocols::jsonrpc;
namespace words = protocols::mcp;
using jsonrpc::Kind;

// Of a server's log line that belongs to no call, what reaches ours.
constexpr std::size_t kLogBytes = 2'048;

// In so long a process may write as much without being asked as about one call.
constexpr std::chrono::hours kUnaskedWindow{1};

Error not_understood(std::string why) {
  return {ErrorKind::malformed, std::move(why)};
}

Error too_long() {
  return {ErrorKind::resource_constraint, ErrorReason::too_large,
          "The MCP server's answer is longer than the gateway reads."};
}

}  // namespace

net::awaitable<void> McpWorker::take_line(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) co_return;
  co_await take_text(std::string(line));
}

net::awaitable<void> McpWorker::take_text(std::string text) {
  const std::size_t bytes = text.size();
  const std::string head = text.substr(0, 512);  // for when the rest cannot be read
  auto document = json::parse(std::move(text), jsonrpc::limits_for(bytes), json::Numbers::faithful);
  if (!document) {
    const std::string why = json::to_string(document.error());
    complain("a line was not understood", why);
    count_unasked(bytes);
    if (!json::member_of_head(head, "method")) {
      lost(json::member_of_head(head, "id").value_or(""),
           not_understood("The MCP server's answer is no JSON: " + why));
    }
    co_return;
  }
  const json::Value& root = document->root();
  if (root.is_array()) {
    if (to_string(hello_.revision) != words::kBatchVersion) {
      complain("a line was not understood", "this revision of MCP has no batches");
      co_return;
    }
    for (const json::Value& message : root.items()) {
      if (message.is_object()) co_await take_text(std::string(message.source()));
    }
    co_return;
  }
  const auto message = jsonrpc::read_message(root);
  if (!message) {
    complain("a line was not understood", message.error().message);
    count_unasked(bytes);
    const json::Value* id = root.find("id");
    if (id != nullptr && root.find("method") == nullptr) {
      lost(id->source(), not_understood(message.error().message));
    }
    co_return;
  }
  // Whoever gets ahead of the disk has to wait: the call that this is about, or the only one.
  const auto flight = flight_of(*message);
  auto hearer = flight ? flight->hearer : nullptr;
  if (!flight) {
    hearer = unanswered_.only_call_of_one_caller();
    const bool may_be_its_own =
        message->kind == Kind::notification && message->method != words::notification::kProgress;
    if (!hearer || !may_be_its_own) count_unasked(bytes);
  }
  switch (message->kind) {
    case Kind::result:
    case Kind::error:
      take_answer(*std::move(document), *message);
      break;
    case Kind::request:
      take_request(*message);
      break;
    case Kind::notification:
      take_notification(*message, bytes);
      break;
  }
  if (hearer) co_await hearer->ready();
}

std::shared_ptr<Flight> McpWorker::flight_of(const Message& message) const {
  if (!message.id.empty()) return flights_.find(message.id);
  const json::Value* token = message.params.find("progressToken");
  return token == nullptr ? nullptr : flights_.find(token->source());
}

void McpWorker::take_answer(json::Document document, const Message& message) {
  if (message.kind == Kind::error && message.id.empty()) {
    complain("it could not read a message", "");
    return;
  }
  const std::string id(message.id);
  answered(id);
  // One that nobody waits for crossed our cancellation, came twice, or is nobody's.
  (void)flights_.land(id, Reply(std::move(document), message));
}

/// A modern server asks in its results; whatever else it wants is a violation, and has no answer
/// (2026-07-28, basic/index, "Messages").
void McpWorker::take_request(const Message& message) {
  if (was_ready() && hello_.modern()) {
    complain("it sends a request, which its revision does not have", "");
    return;
  }
  if (message.method == words::method::kPing) {
    (void)send(jsonrpc::result(message.id, "{}"));
    return;
  }
  const std::string id(message.id);
  ServerRequest request;
  request.method = message.method;
  request.params = &message.params;
  request.answer = [weak = weak_from_this(), id](std::string_view result) {
    const auto self = std::static_pointer_cast<McpWorker>(weak.lock());
    if (self && !self->closed_) (void)self->send(jsonrpc::result(id, result));
  };
  request.refuse = [weak = weak_from_this(), id](std::int64_t code, std::string_view why) {
    const auto self = std::static_pointer_cast<McpWorker>(weak.lock());
    if (self && !self->closed_) (void)self->send(jsonrpc::error(id, code, why));
  };
  if (was_ready()) processes_->asks_by_itself = processes_->limits.asks;
  const auto call = processes_->limits.asks ? unanswered_.only() : nullptr;
  if (call) {
    call->asked(std::move(request));
    return;
  }
  request.refuse(jsonrpc::error_code::kMethodNotFound, "This client does not offer that.");
  if (occupied()) limit_doubt();
}

void McpWorker::answered(std::string_view id) {
  if (!unanswered_.answered(id) || unanswered_.count_left() > 0) return;
  doubt_.reset();
  changed();
}

void McpWorker::take_notification(const Message& message, std::size_t bytes) {
  if (message.method == words::notification::kProgress) {
    auto progress = words::read_progress(message.params);
    if (!progress) return complain("a notification was not understood", progress.error().message);
    const auto flight = flights_.find(progress->token);
    if (!flight || !flight->hearer || !flight->hearer->count(bytes)) return;
    flight->hearer->progress(*std::move(progress));
  } else if (message.method == words::notification::kMessage) {
    const auto line = words::read_log(message.params);
    if (!line) return complain("a notification was not understood", line.error().message);
    const auto call = unanswered_.only_call_of_one_caller();
    if (!call) {
      note_output(line->data.substr(0, kLogBytes));
    } else if (call->count(bytes)) {
      call->log(*line);
    }
  } else {
    take_told(message);
  }
}

/// Of a modern server only what we have asked for, and under its name.
void McpWorker::take_told(const Message& message) {
  if (!was_ready()) return;
  if (!hello_.modern()) {
    const json::Value* uri = message.params.find("uri");
    processes_->state->told(message.method,
                            uri == nullptr ? std::string_view() : uri->get_string().value_or(""));
    return;
  }
  const json::Value* meta = words::meta_of(message.params);
  const json::Value* subscription =
      meta == nullptr ? nullptr : meta->find(words::meta_key::kSubscriptionId);
  const auto flight = subscription == nullptr ? nullptr : flights_.find(subscription->source());
  if (flight && flight->hearer) flight->hearer->told(message);
}

// --- what cannot be read -----------------------------------------------------------------------

/// A process that writes without end what nobody can use would only be read.
void McpWorker::count_unasked(std::size_t bytes) {
  const auto now = std::chrono::steady_clock::now();
  if (now - unasked_since_ > kUnaskedWindow) {
    unasked_ = 0;
    unasked_since_ = now;
  }
  unasked_ += bytes;
  if (unasked_ <= configuration().output_limit) return;
  complain("it writes without end what no request is about", "its process is ended");
  end_as_failed();
}

bool McpWorker::take_cut_line(const net::Line& line) {
  const bool asks = json::member_of_head(line.text, "method").has_value();
  auto id = json::member_of_head(line.text, "id");
  if (!id) id = json::member_of_tail(line.tail, "id");
  if (!asks && !id && !line.ended && flights_.awaited() > 1) return false;
  count_unasked(line.text.size() + line.tail.size());
  if (asks) return true;  // nobody waits for that
  if (id) {
    lost(*id, too_long());
  } else {
    flights_.lose(too_long());
  }
  return true;
}

/// The answer to that request came, and cannot be read.
void McpWorker::lost(std::string_view id, const Error& error) {
  const std::string which(id);
  answered(which);
  (void)flights_.land(which, std::unexpected(error));
}

}  // namespace interline::runtimes::mcp

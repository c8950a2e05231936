#include "protocols/mcp/server/telling.hpp"

#include <utility>

#include "json/parse.hpp"

namespace interline::protocols::mcp::server {
namespace {

std::string_view text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string_view() : value->get_string().value_or("");
}

}  // namespace

Telling::Telling(const Asked& asked) : sink_(*asked.sink), level_(asked.meta.log_level) {
  if (!asked.meta.progress_token.empty()) {
    progress_.emplace(std::string(asked.meta.progress_token));
  }
}

void Telling::progress(std::optional<double> percent, std::string_view message) {
  if (!progress_) return;
  if (const auto params = progress_->tell(percent, message)) {
    sink_.tell(jsonrpc::notification(notification::kProgress, *params));
  }
}

void Telling::log(std::string_view level, std::string_view data) {
  if (const auto params = log_params(level_, level, std::string_view(), data)) {
    sink_.tell(jsonrpc::notification(notification::kMessage, *params));
  }
}

void Telling::entry(const tasks::LogEntry& entry) {
  if (entry.type != tasks::EntryType::progress && entry.type != tasks::EntryType::log) return;
  const auto body = json::parse_borrowed(entry.body, jsonrpc::limits_for(entry.body.size()),
                                         json::Numbers::faithful);
  if (!body) return;  // written by the engine
  const json::Value& root = body->root();
  if (entry.type == tasks::EntryType::log) {
    const json::Value* data = root.find("data");
    if (data != nullptr) log(text_of(root, "level"), data->source());
    return;
  }
  const json::Value* percent = root.find("percent");
  std::string_view message = text_of(root, "message");
  if (message.empty()) message = text_of(root, "stage");
  progress(percent == nullptr ? std::nullopt : percent->get_double(), message);
}

}  // namespace interline::protocols::mcp::server

#include "protocols/jsonrpc/message.hpp"

#include <utility>

#include "json/writer.hpp"

namespace interline::protocols::jsonrpc {
namespace {

constexpr std::size_t kDepth = 80;  // the engine's 64, and what is around a result

std::unexpected<Error> wrong(std::string_view why) {
  return fail(ErrorKind::malformed, "This is no JSON-RPC message: " + std::string(why));
}

bool is_id(const json::Value& id) {
  if (id.is_string()) return true;
  // An integer literal, whatever its size: it is only ever sent back.
  return id.is_number() && id.source().find_first_of(".eE") == std::string_view::npos;
}

Result<Message> read_call(const json::Value& root, const json::Value& method,
                          const json::Value* id) {
  Message message;
  if (!method.is_string()) return wrong("\"method\" is a string");
  if (root.find("result") != nullptr || root.find("error") != nullptr) {
    return wrong("a method has neither result nor error");
  }
  message.kind = id == nullptr ? Kind::notification : Kind::request;
  message.method = method.as_string();
  if (id != nullptr) {
    if (!is_id(*id)) return wrong("the id of a request is a string or an integer");
    message.id = id->source();
  }
  if (const json::Value* params = root.find("params")) {
    if (!params->is_object() && !params->is_array()) return wrong("\"params\" is structured");
    message.params = *params;
  }
  return message;
}

Result<Message> read_error(const json::Value& error, Message message) {
  message.kind = Kind::error;
  const json::Value* code = error.find("code");
  const json::Value* text = error.find("message");
  const auto number = code == nullptr ? std::nullopt : code->get_int64();
  if (!number || text == nullptr || !text->is_string()) {
    return wrong("an error has an integer \"code\" and a \"message\"");
  }
  message.code = *number;
  message.message = text->as_string();
  if (const json::Value* data = error.find("data")) message.data = *data;
  return message;
}

class Line {
 public:
  Line() : writer_(text_) {
    writer_.begin_object();
    writer_.member("jsonrpc", "2.0");
  }
  [[nodiscard]] json::Writer& writer() { return writer_; }
  [[nodiscard]] std::string end() {
    writer_.end_object();
    return std::move(text_);
  }

 private:
  std::string text_;
  json::Writer writer_;
};

}  // namespace

json::Limits limits_for(std::size_t bytes) {
  json::Limits limits;
  limits.bytes = limits.string_bytes = bytes;
  limits.depth = kDepth;
  return limits;
}

Result<Message> read_message(const json::Value& root) {
  if (!root.is_object()) return wrong("it is no object");
  const json::Value* version = root.find("jsonrpc");
  if (version == nullptr || !version->is_string() || version->as_string() != "2.0") {
    return wrong("\"jsonrpc\" is not \"2.0\"");
  }
  const json::Value* id = root.find("id");
  if (const json::Value* method = root.find("method")) return read_call(root, *method, id);
  const json::Value* result = root.find("result");
  const json::Value* error = root.find("error");
  if ((result == nullptr) == (error == nullptr)) {
    return wrong("it has neither a method, nor either a result or an error");
  }
  Message message;
  const bool anonymous = id == nullptr || id->is_null();
  if (!anonymous) {
    if (!is_id(*id)) return wrong("an id is a string or an integer");
    message.id = id->source();
  }
  if (error != nullptr) return read_error(*error, message);
  if (anonymous) return wrong("a result has an id");
  message.kind = Kind::result;
  message.result = *result;
  return message;
}

std::string request(std::string_view id, std::string_view method, std::string_view params) {
  Line line;
  line.writer().raw_member("id", id);
  line.writer().member("method", method);
  if (!params.empty()) line.writer().raw_member("params", params);
  return line.end();
}

std::string notification(std::string_view method, std::string_view params) {
  Line line;
  line.writer().member("method", method);
  if (!params.empty()) line.writer().raw_member("params", params);
  return line.end();
}

std::string result(std::string_view id, std::string_view result) {
  Line line;
  line.writer().raw_member("id", id);
  line.writer().raw_member("result", result);
  return line.end();
}

std::string error(std::string_view id, std::int64_t code, std::string_view message,
                  std::string_view data) {
  Line line;
  if (!id.empty()) line.writer().raw_member("id", id);
  line.writer().name("error");
  line.writer().begin_object();
  line.writer().member("code", code);
  line.writer().member("message", message);
  if (!data.empty()) line.writer().raw_member("data", data);
  line.writer().end_object();
  return line.end();
}

}  // namespace interline::protocols::jsonrpc

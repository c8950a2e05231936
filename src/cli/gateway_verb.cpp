#include "cli/gateway_verb.hpp"

#include <algorithm>

#include "bindings/control/control.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {

int GatewayVerb::run(Streams& io) {
  const auto data_dir = configuration_.read_data_dir(io);
  if (!data_dir) return kUsage;
  const auto socket = *data_dir / control::kSocketName;
  const ControlClient gateway(socket.string(),
                              "interline serve -c " + shell_word(configuration_.path()));
  return run(io, gateway);
}

std::string GatewayVerb::gateway_option() const {
  return configuration_.given() ? " -c " + shell_word(configuration_.path()) : "";
}

std::expected<json::Document, json::ParseError> parse_gateway_json(std::string text) {
  json::Limits limits;
  limits.bytes = text.size() + 1;
  limits.string_bytes = limits.bytes;
  limits.depth = 512;
  return json::parse(std::move(text), limits, json::Numbers::faithful);
}

std::expected<json::Document, int> GatewayVerb::ask(Streams& io, const ControlClient& gateway,
                                                    net::http::Method method, std::string target,
                                                    std::string body, bool* not_found) {
  auto answer = run_to_end(gateway.repeatable_request(method, std::move(target), std::move(body)));
  if (!answer) {
    if (not_found != nullptr) *not_found = answer.error().kind == ErrorKind::not_found;
    return std::unexpected(complain_of(io, answer.error()));
  }
  auto parsed = parse_gateway_json(*std::move(answer));
  if (!parsed) {
    io.complain("the gateway's answer cannot be read: " + json::to_string(parsed.error()));
    return std::unexpected(kNo);
  }
  return *std::move(parsed);
}

int complain_of(Streams& io, const Error& error) {
  std::string message = error.message;
  if (error.retry_after) {
    const auto wait = std::chrono::ceil<std::chrono::seconds>(*error.retry_after);
    message += " (try again in " + std::to_string(wait.count()) + " s)";
  }
  io.complain(message);
  return error.kind == ErrorKind::malformed ? kUsage : kNo;
}

std::string shell_word(std::string_view text) {
  const bool plain = !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._/:=@%+,").find(c) != std::string_view::npos;
  });
  if (plain) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

std::string shown(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  if (value == nullptr) return {};
  return schema::printable(value->is_string() ? value->as_string() : value->source());
}

}  // namespace interline::cli

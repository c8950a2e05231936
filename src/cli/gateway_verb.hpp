// What the verbs of a running gateway have in common: finding it, asking it, saying what went
// wrong.
#pragma once

#include <exception>
#include <expected>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include "cli/configuration_input.hpp"
#include "cli/control_client.hpp"
#include "cli/verb.hpp"
#include "json/parse.hpp"

namespace interline::cli {

/// Runs a coroutine to its end on a context of its own; what it left pending ends with it.
template <class T>
[[nodiscard]] T run_to_end(net::awaitable<T> work) {
  net::asio::io_context context(1);
  std::optional<T> result;
  std::exception_ptr failure;
  net::asio::co_spawn(context, std::move(work), [&](std::exception_ptr error, T value) {
    failure = error;
    result.emplace(std::move(value));
    context.stop();
  });
  context.run();
  if (failure) std::rethrow_exception(failure);
  return std::move(result).value();
}

class GatewayVerb : public Verb {
 public:
  int run(Streams& io) final;

 protected:
  virtual int run(Streams& io, const ControlClient& gateway) = 0;

  void declare_gateway(Arguments& arguments) { configuration_.declare(arguments); }
  void declare_json(Arguments& arguments, const std::string& help) {
    arguments.flag("--json", json_, help);
  }
  [[nodiscard]] bool json() const { return json_; }

  /// One request. The error, which was said, is the exit code; `not_found` tells whether that was
  /// it.
  [[nodiscard]] static std::expected<json::Document, int> ask(
      Streams& io, const ControlClient& gateway, net::http::Method method, std::string target,
      std::string body = {}, bool* not_found = nullptr);
  /// " -c FILE" where this run was given one: for commands to show, complete as they are.
  [[nodiscard]] std::string gateway_option() const;

 private:
  ConfigurationInput configuration_;
  bool json_ = false;
};

/// "interline: MESSAGE", with what to do about it where the kind says so; the exit code: what the
/// gateway cannot understand is a word of the command line.
int complain_of(Streams& io, const Error& error);

/// An answer of the gateway, however large it is. Numbers keep their text.
[[nodiscard]] std::expected<json::Document, json::ParseError> parse_gateway_json(std::string text);

/// A word of a shell command.
[[nodiscard]] std::string shell_word(std::string_view text);

/// A member's text, escaped for a terminal; "" where there is none.
[[nodiscard]] std::string shown(const json::Value& object, std::string_view name);

}  // namespace interline::cli

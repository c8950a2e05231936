// interline call ENDPOINT TOOL [JSON]: a call through the running gateway, followed to its end.
#include <chrono>
#include <memory>
#include <string>

#include "app/durations.hpp"
#include "base/clock.hpp"
#include "base/id.hpp"
#include "base/instant.hpp"
#include "cli/following.hpp"
#include "cli/gateway_verb.hpp"
#include "cli/input.hpp"
#include "cli/settled.hpp"
#include "cli/terminal.hpp"
#include "json/writer.hpp"

namespace interline::cli {
namespace {

constexpr std::size_t kKeyBytes = 18;
constexpr std::chrono::hours kLongestDeadline{24 * 366 * 10};

class Call final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("ENDPOINT", endpoint_, "Whom to call; interline endpoints list names them");
    arguments.required("TOOL", tool_, "What to call; interline endpoints show ENDPOINT names them");
    arguments.optional("JSON", arguments_,
                       "The arguments, a JSON object; - reads them from standard input; nothing is "
                       "{}");
    declare_gateway(arguments);
    declare_json(arguments, "Print the whole task as JSON instead of the result's content");
    arguments.flag("--detach", detach_, "Print the task's id and leave it to itself");
    arguments.flag("-q,--quiet", quiet_, "No progress on standard error");
    arguments.optional(
        "--deadline", deadline_,
        "When the task fails unless it has ended: in so long (5s, 15m, 24h), or at a "
        "time, 2027-01-31T12:00:00Z. With --request-key a time, so that the call stays "
        "the same");
    arguments.optional(
        "--request-key", request_key_,
        "Whatever names this call: given again with the same call, it finds the same "
        "task and runs nothing twice");
    arguments.optional("--version", version_, "The version that must be active");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    auto body = request_body(io);
    if (!body) return kUsage;
    bool not_found = false;
    const auto admitted =
        ask(io, gateway, net::http::Method::post, "/v1/calls", *std::move(body), &not_found);
    if (!admitted) {
      if (not_found) {
        io.err("interline endpoints list" + gateway_option() +
               " names the endpoints, interline endpoints show NAME" + gateway_option() +
               " the tools and versions of one\n");
      }
      return admitted.error();
    }
    const json::Value* id = admitted->root().find("task");
    const std::string task(id == nullptr ? "" : id->get_string().value_or(""));
    if (detach_) {
      io.out(json() ? std::string(admitted->root().source()) + "\n" : task + "\n");
      return kOk;
    }
    FollowOptions options;
    options.answer = input_is_terminal();
    options.cancel = true;
    options.quiet = quiet_;
    options.answer_command = "interline tasks answer " + task;
    options.watch_command = "interline tasks watch " + task;
    options.options = gateway_option();
    const auto followed = run_to_end(follow_task(gateway, io, task, std::move(options)));
    return say_followed(io, followed, json());
  }

 private:
  [[nodiscard]] std::optional<std::string> request_body(Streams& io) const {
    std::string text = arguments_.empty() ? "{}" : arguments_;
    json::Limits limits;
    if (arguments_ == "-") {
      auto read = load_json("-", limits);
      if (!read) {
        io.complain(read.error().message);
        return std::nullopt;
      }
      text = read->root().source();
    } else if (const auto parsed = json::parse_borrowed(text, limits, json::Numbers::faithful);
               !parsed) {
      io.complain("the arguments are no JSON: " + json::to_string(parsed.error()) +
                  R"(; in a shell, write them in single quotes: '{"city":"Riga"}')");
      return std::nullopt;
    }
    std::string body;
    json::Writer writer(body);
    writer.begin_object();
    writer.member("endpoint", std::string_view(endpoint_));
    writer.member("tool", std::string_view(tool_));
    writer.raw_member("arguments", text);
    writer.member("requestKey", request_key_.empty() ? random_token(kKeyBytes) : request_key_);
    if (!version_.empty()) writer.member("version", std::string_view(version_));
    if (!deadline_.empty()) writer.member("deadline", deadline_time());
    writer.end_object();
    return body;
  }

  /// A time as it was given, a duration from now on.
  [[nodiscard]] std::string deadline_time() const {
    const auto from_now = app::parse_duration(deadline_);
    if (!from_now || *from_now > kLongestDeadline) return deadline_;
    const SystemClock clock;
    return Instant(clock.now() + *from_now).text();
  }

  std::string endpoint_;
  std::string tool_;
  std::string arguments_;
  std::string deadline_;
  std::string request_key_;
  std::string version_;
  bool detach_ = false;
  bool quiet_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_call() {
  return std::make_unique<Call>();
}

}  // namespace interline::cli

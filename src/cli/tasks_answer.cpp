// interline tasks answer ID JSON: the answer to what a task of this user asks.
#include <memory>
#include <string>

#include "cli/gateway_verb.hpp"
#include "json/writer.hpp"

namespace interline::cli {
namespace {

using net::http::Method;

class TasksAnswer final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("ID", id_,
                       "The task; interline tasks list --state input_required names them");
    arguments.optional(
        "JSON", value_,
        "The answer, as the question's schema has it; to several questions, an object "
        "with a member each");
    arguments.flag("--decline", decline_, "Answer every open question with a refusal");
    arguments.flag("--cancel", cancel_, "Dismiss every open question");
    arguments.optional("--request", request_,
                       "The request that is answered; without it, the one that is open now");
    declare_gateway(arguments);
    declare_json(arguments, R"(Print {"revision","replayed"})");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    const int forms = (value_.empty() ? 0 : 1) + (decline_ ? 1 : 0) + (cancel_ ? 1 : 0);
    if (forms != 1) {
      io.complain("give the answer as JSON, or --decline, or --cancel: one of them");
      return kUsage;
    }
    const auto parsed = json::parse_borrowed(value_.empty() ? "null" : value_);
    if (!parsed) {
      io.complain("the answer is no JSON: " + json::to_string(parsed.error()) +
                  R"(; a text is written in both quotes: '"Ada"')");
      return kUsage;
    }
    // Found out before it is sent: sent again after a lost answer, it answers the same request.
    if (const int found = request_.empty() ? find_request(io, gateway) : kOk; found != kOk) {
      return found;
    }
    std::string body;
    json::Writer writer(body);
    writer.begin_object();
    writer.member("request", std::string_view(request_));
    if (value_.empty()) {
      writer.member("action", decline_ ? "decline" : "cancel");
    } else {
      writer.raw_member("value", value_);
    }
    writer.end_object();
    const auto answer = ask(io, gateway, Method::post, "/v1/tasks/" + path_segment(id_) + "/answer",
                            std::move(body));
    if (!answer) return answer.error();
    io.out(json() ? std::string(answer->root().source()) + "\n" : "answered\n");
    return kOk;
  }

 private:
  [[nodiscard]] int find_request(Streams& io, const ControlClient& gateway) {
    const auto task = ask(io, gateway, Method::get, "/v1/tasks/" + path_segment(id_));
    if (!task) return task.error();
    const json::Value* pending = task->root().find("pending");
    const json::Value* body = pending == nullptr ? nullptr : pending->find("body");
    const json::Value* request = body == nullptr ? nullptr : body->find("requestId");
    if (request == nullptr || !request->is_string()) {
      io.complain("the task waits for no answer; it is " + shown(task->root(), "state"));
      return kNo;
    }
    request_ = request->as_string();
    return kOk;
  }

  std::string id_;
  std::string value_;
  std::string request_;
  bool decline_ = false;
  bool cancel_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_tasks_answer() {
  return std::make_unique<TasksAnswer>();
}

}  // namespace interline::cli

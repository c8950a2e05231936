// interline tasks cancel ID, interline tasks approve ID, interline tasks trust-clock.
#include <memory>
#include <string>

#include "cli/gateway_verb.hpp"
#include "json/writer.hpp"

namespace interline::cli {
namespace {

using net::http::Method;

class TasksCancel final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("ID", id_, "The task; interline tasks list names them");
    arguments.optional("--reason", reason_, "Why, for whoever sees the task");
    declare_gateway(arguments);
    declare_json(arguments, R"(Print {"revision","replayed"})");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    std::string body;
    json::Writer writer(body);
    writer.begin_object();
    if (!reason_.empty()) writer.member("reason", std::string_view(reason_));
    writer.end_object();
    const auto answer = ask(io, gateway, Method::post, "/v1/tasks/" + path_segment(id_) + "/cancel",
                            std::move(body));
    if (!answer) return answer.error();
    const bool before = shown(answer->root(), "replayed") == "true";
    if (before && !json()) return say_cancelled_before(io, gateway);
    io.out(json() ? std::string(answer->root().source()) + "\n"
                  : "cancelling; interline tasks watch " + shell_word(id_) + gateway_option() +
                        " shows how it ends\n");
    return kOk;
  }

 private:
  [[nodiscard]] int say_cancelled_before(Streams& io, const ControlClient& gateway) const {
    const auto task = ask(io, gateway, Method::get, "/v1/tasks/" + path_segment(id_));
    if (!task) return task.error();
    io.out("was cancelled before; the task is " + shown(task->root(), "state") + "\n");
    return kOk;
  }

  std::string id_;
  std::string reason_;
};

class TasksApprove final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("ID", id_, "The held task");
    declare_gateway(arguments);
    declare_json(arguments, R"(Print {"revision","replayed"})");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    const auto answer =
        ask(io, gateway, Method::post, "/v1/tasks/" + path_segment(id_) + "/approve", "{}");
    if (!answer) return answer.error();
    io.out(json() ? std::string(answer->root().source()) + "\n" : "approved\n");
    return kOk;
  }

 private:
  std::string id_;
};

class TasksTrustClock final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    declare_gateway(arguments);
    declare_json(arguments, R"(Print {"held","since"?,"behindSeconds"?}: as it was before)");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    const auto answer = ask(io, gateway, Method::post, "/v1/clock/trust", "{}");
    if (!answer) return answer.error();
    const json::Value& root = answer->root();
    const bool held = shown(root, "held") == "true";
    io.out(json() ? std::string(root.source()) + "\n"
           : held ? "what is kept goes by the clock again; it was held since " +
                        shown(root, "since") + "\n"
                  : "nothing was held: what is kept goes by the clock\n");
    return kOk;
  }
};

}  // namespace

std::unique_ptr<Verb> make_tasks_cancel() {
  return std::make_unique<TasksCancel>();
}
std::unique_ptr<Verb> make_tasks_approve() {
  return std::make_unique<TasksApprove>();
}
std::unique_ptr<Verb> make_tasks_trust_clock() {
  return std::make_unique<TasksTrustClock>();
}

}  // namespace interline::cli

// interline tasks watch ID: a task followed to its end, whoever called it.
#include <memory>
#include <string>

#include "cli/following.hpp"
#include "cli/gateway_verb.hpp"
#include "cli/settled.hpp"
#include "cli/terminal.hpp"

namespace interline::cli {
namespace {

class TasksWatch final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("ID", id_, "The task; interline tasks list names them");
    arguments.flag("--answer", answer_, "Ask its questions at this terminal, as call does");
    declare_gateway(arguments);
    declare_json(
        arguments,
        "Print each entry from the first on as a line of JSON, and at last the whole task");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    if (answer_ && !input_is_terminal()) {
      io.complain("--answer needs a terminal; without one: interline tasks answer " + id_ +
                  " JSON" + gateway_option());
      return kUsage;
    }
    FollowOptions options;
    options.answer = answer_;
    options.stay = true;
    options.entries_as_json = json();
    options.answer_command = "interline tasks answer " + shell_word(id_);
    options.watch_command = "interline tasks watch " + shell_word(id_);
    options.options = gateway_option();
    const auto followed = run_to_end(follow_task(gateway, io, id_, std::move(options)));
    return say_followed(io, followed, json());
  }

 private:
  std::string id_;
  bool answer_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_tasks_watch() {
  return std::make_unique<TasksWatch>();
}

}  // namespace interline::cli

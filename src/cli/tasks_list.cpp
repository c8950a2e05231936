// interline tasks list: the tasks of this user; an operator's list is everybody's.
#include <memory>
#include <string>

#include "cli/gateway_verb.hpp"
#include "cli/pages.hpp"

namespace interline::cli {
namespace {

constexpr std::size_t kUsual = 50;
constexpr std::size_t kMost = 1'000'000;

class TasksList final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.optional("--state", state_,
                       "Only these: accepted, running, input_required, cancelling, completed, "
                       "failed, cancelled; several with commas");
    arguments.optional("--since", since_,
                       "Only tasks that changed at or after 2027-01-31T12:00:00Z");
    arguments.number("-n,--limit", limit_, 1, kMost, "How many, those that changed last first");
    declare_gateway(arguments);
    declare_json(arguments, R"(Print {"tasks":[...]})");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    std::string target = "/v1/tasks?state=" + path_segment(state_);
    if (!since_.empty()) target += "&since=" + path_segment(since_);
    std::vector<std::vector<std::string>> rows;
    std::string all;
    const int listed =
        for_each_row(io, gateway, target, "tasks", limit_, [&](const json::Value& task) {
          all.append(all.empty() ? "" : ",").append(task.source());
          rows.push_back({shown(task, "id"), shown(task, "state"),
                          shown(task, "endpoint") + "." + shown(task, "tool"),
                          shown(task, "updated"), shown(task, "owner")});
        });
    if (listed != kOk) return listed;
    if (json()) {
      io.out("{\"tasks\":[" + all + "]}\n");
    } else if (rows.empty()) {
      io.out("no tasks\n");
    } else {
      io.out(table_text({"ID", "STATE", "TOOL", "UPDATED", "OWNER"}, rows));
    }
    return kOk;
  }

 private:
  std::string state_;
  std::string since_;
  std::size_t limit_ = kUsual;
};

}  // namespace

std::unique_ptr<Verb> make_tasks_list() {
  return std::make_unique<TasksList>();
}

}  // namespace interline::cli

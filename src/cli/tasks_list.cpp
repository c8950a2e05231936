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
    arguments.optional("--after", after_,
                       "Go on behind a list that was cut, as its last line says");
    declare_gateway(arguments);
    declare_json(arguments, R"(Print {"tasks":[...],"total","next"?})");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    std::string target = "/v1/tasks?state=" + path_segment(state_);
    if (!since_.empty()) target += "&since=" + path_segment(since_);
    std::vector<std::vector<std::string>> rows;
    std::string all;
    const auto listed =
        for_each_row(io, gateway, target, "tasks", limit_, after_, [&](const json::Value& task) {
          all.append(all.empty() ? "" : ",").append(task.source());
          rows.push_back({shown(task, "id"), shown(task, "state"),
                          shown(task, "endpoint") + "." + shown(task, "tool"),
                          shown(task, "updated"), shown(task, "owner")});
        });
    if (!listed) return listed.error();
    // A page that is full has a next one, which may be empty.
    const bool more =
        !listed->next.empty() && !(after_.empty() && listed->total == std::to_string(rows.size()));
    if (json()) {
      io.out("{\"tasks\":[" + all + "],\"total\":" + (listed->total.empty() ? "0" : listed->total) +
             (more ? ",\"next\":\"" + listed->next + "\"" : "") + "}\n");
      return kOk;
    }
    io.out(rows.empty() ? "no tasks\n"
                        : table_text({"ID", "STATE", "TOOL", "UPDATED", "OWNER"}, rows));
    if (more && io.flush()) io.err(rest_text(rows.size(), *listed));
    return kOk;
  }

 private:
  /// "50 of 312 tasks; the next ones: interline tasks list ..."
  [[nodiscard]] std::string rest_text(std::size_t shown_now, const Listed& listed) const {
    std::string text = std::to_string(shown_now) + " of " + listed.total +
                       " tasks; the next ones: interline tasks list --after " + listed.next;
    if (!state_.empty()) text += " --state " + shell_word(state_);
    if (!since_.empty()) text += " --since " + shell_word(since_);
    if (limit_ != kUsual) text += " --limit " + std::to_string(limit_);
    return text + gateway_option() + "\n";
  }

  std::string state_;
  std::string since_;
  std::string after_;
  std::size_t limit_ = kUsual;
};

}  // namespace

std::unique_ptr<Verb> make_tasks_list() {
  return std::make_unique<TasksList>();
}

}  // namespace interline::cli

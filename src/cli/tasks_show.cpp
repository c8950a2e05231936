// interline tasks show ID: one task, with its question, its artifacts and its end.
#include <memory>
#include <string>

#include "cli/gateway_verb.hpp"
#include "cli/question_text.hpp"
#include "cli/task_text.hpp"
#include "cli/terminal.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

using net::http::Method;

class TasksShow final : public GatewayVerb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("ID", id_, "The task; interline tasks list names them");
    declare_gateway(arguments);
    declare_json(arguments, "Print the whole task as JSON");
  }

 protected:
  int run(Streams& io, const ControlClient& gateway) override {
    const auto task = ask(io, gateway, Method::get, "/v1/tasks/" + path_segment(id_));
    if (!task) return task.error();
    const json::Value& root = task->root();
    if (json()) {
      io.out(std::string(root.source()) + "\n");
      return kOk;
    }
    for (const auto name :
         {"id", "state", "endpoint", "version", "tool", "arguments", "owner", "network",
          "requestKey", "revision", "created", "updated", "deadline", "retainUntil"}) {
      line(io, name, shown(root, name));
    }
    if (root.find("line") != nullptr) line(io, "line", state_line(root));
    if (root.find("held") != nullptr) line(io, "held", "waits for interline tasks approve " + id_);
    io.out(question_text(root, "interline tasks answer " + shell_word(id_), gateway_option()));
    const json::Value* artifacts = root.find("artifacts");
    if (artifacts != nullptr && artifacts->is_array()) {
      for (const json::Value& artifact : artifacts->items()) {
        line(io, "artifact", shown(artifact, "id") + "  " + shown(artifact, "parts"));
      }
    }
    show_end(io, root);
    return kOk;
  }

 private:
  static void line(Streams& io, const std::string& name, const std::string& text) {
    if (text.empty()) return;
    io.out(name + std::string(name.size() < 12 ? 12 - name.size() : 1, ' ') + text + "\n");
  }

  static void show_end(Streams& io, const json::Value& task) {
    const json::Value* outcome = task.find("outcome");
    if (outcome == nullptr) return;
    const Ending ending = ending_of(task);
    line(io, "end", schema::printable(ending.success ? "the tool succeeded" : ending.sentence));
    const json::Value* result = outcome->find("result");
    if (result != nullptr) io.out("\n" + content_text(*result, output_is_terminal()));
  }

  std::string id_;
};

}  // namespace

std::unique_ptr<Verb> make_tasks_show() {
  return std::make_unique<TasksShow>();
}

}  // namespace interline::cli

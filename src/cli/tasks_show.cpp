// interline tasks show ID: one task, with its question, its artifacts and its end.
#include <memory>
#include <string>

#include "cli/gateway_verb.hpp"
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
    if (root.find("held") != nullptr) line(io, "held", "waits for interline tasks approve " + id_);
    show_question(io, root);
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

  void show_question(Streams& io, const json::Value& task) const {
    const json::Value* pending = task.find("pending");
    const json::Value* questions = pending == nullptr ? nullptr : pending->find("questions");
    if (questions == nullptr || !questions->is_array()) return;
    for (const json::Value& question : questions->items()) {
      line(io, "question", shown(question, "text"));
      line(io, "  id", shown(question, "id"));
      line(io, "  open", shown(question, "url"));
      line(io, "  schema", shown(question, "schema"));
      line(io, "  expires", shown(question, "expires"));
    }
    line(io, "answer with",
         "interline tasks answer " + schema::printable(id_) + " JSON" + gateway_option());
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

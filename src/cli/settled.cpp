#include "cli/settled.hpp"

#include "cli/gateway_verb.hpp"
#include "cli/task_text.hpp"
#include "cli/terminal.hpp"

namespace interline::cli {

int say_followed(Streams& io, const Result<Followed>& followed, bool as_json) {
  if (!followed) return complain_of(io, followed.error());
  if (followed->end != Followed::End::settled) return kNo;
  const auto parsed = parse_gateway_json(followed->task);
  if (!parsed) {
    io.complain("the gateway's answer cannot be read: " + json::to_string(parsed.error()));
    return kNo;
  }
  const json::Value& task = parsed->root();
  const Ending ending = ending_of(task);
  const json::Value* outcome = task.find("outcome");
  const json::Value* result = outcome == nullptr ? nullptr : outcome->find("result");
  if (as_json) {
    io.out(std::string(task.source()) + "\n");
  } else if (result != nullptr) {
    io.out(content_text(*result, output_is_terminal()));
  }
  if (!ending.success) {
    if (!io.flush()) return kNo;  // in its place before the complaint
    io.complain(ending.sentence);
  }
  return ending.success ? kOk : kNo;
}

}  // namespace interline::cli

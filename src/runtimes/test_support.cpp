#include "runtimes/test_support.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <stdexcept>
#include <unistd.h>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "engine/suspend.hpp"

namespace interline::runtimes::testing {
namespace {

/// Only a hung test ever takes this long; then it fails instead of hanging.
constexpr std::chrono::seconds kHung{120};

constexpr std::string_view kPrelude = R"(
import json, os, signal, sys, threading
folder = os.path.dirname(os.path.abspath(__file__))
mutex = threading.Lock()
def send(_type, **members):
    with mutex:
        sys.stdout.write(json.dumps({"type": _type, **members}) + "\n")
        sys.stdout.flush()
def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()
def lines():
    for line in sys.stdin:
        yield json.loads(line)
def note(text):
    with open(folder + "/notes", "a") as notes:
        notes.write(str(text) + "\n")
def gate(name):
    with open(folder + "/" + name) as fifo:
        fifo.read()
)";

}  // namespace

void FakeJob::note(std::string report) {
  const std::lock_guard lock(mutex_);
  reports_.push_back(std::move(report));
  came_.notify_all();
}

void FakeJob::listen(engine::JobCallbacks callbacks) {
  const std::lock_guard lock(mutex_);
  callbacks_ = std::move(callbacks);
  listening_ = true;
  for (const auto& call : std::exchange(undelivered_, {})) call(callbacks_);
}

void FakeJob::deliver(std::function<void(const engine::JobCallbacks&)> call) {
  const std::lock_guard lock(mutex_);
  if (listening_) {
    call(callbacks_);
  } else {
    undelivered_.push_back(std::move(call));
  }
}

void FakeJob::progress(engine::ProgressReport report) {
  std::string text = "progress";
  if (report.percent) text += " " + std::to_string(*report.percent);
  if (report.stage) text += " stage=" + *report.stage;
  if (report.message) text += " message=" + *report.message;
  note(std::move(text));
}

void FakeJob::log(std::string level, std::string data_json) {
  note("log " + level + " " + data_json);
}

void FakeJob::output(tasks::ArtifactChunk chunk) {
  note("output " + chunk.artifact + " " + chunk.parts + (chunk.append ? " append" : "") +
       (chunk.last ? " last" : ""));
}

void FakeJob::ask(std::vector<engine::AskedQuestion> questions, std::optional<std::string> state,
                  std::function<void(const Error&)> on_refused) {
  if (refuse_) {
    on_refused(Error(refusal_, "no questions here"));
    return;
  }
  for (const engine::AskedQuestion& question : questions) {
    std::string text = "ask " + question.key + " " + std::string(tasks::to_string(question.kind)) +
                       " " + question.text;
    if (!question.schema.empty()) text += " schema=" + question.schema;
    if (!question.url.empty()) text += " url=" + question.url;
    if (question.expires_in.count() > 0) {
      text += " expires=" + std::to_string(question.expires_in.count()) + "ns";
    }
    if (state) text += " state=" + *state;
    note(std::move(text));
  }
}

void FakeJob::complete(std::string result_json) {
  note("complete " + result_json);
}

void FakeJob::fail(tasks::Failure failure) {
  note("fail " + failure.code + (failure.retryable ? " retryable: " : ": ") + failure.message);
}

void FakeJob::cancelled(std::optional<std::string> /*reason*/) {
  note("cancelled");
}

engine::awaitable<Result<void>> FakeJob::remember(std::string memory) {
  note("remember " + memory);
  co_return Result<void>();
}

engine::awaitable<void> FakeJob::ready() {
  auto start = [this](Resume resume) {
    const std::lock_guard lock(mutex_);
    if (held_) {
      waiting_.push_back(std::move(resume));
    } else {
      resume({});
    }
  };
  (void)co_await engine::suspend<Result<void>>(std::move(start));
}

void FakeJob::answer(std::string key, tasks::AnswerAction action, std::string value) {
  tasks::Answer answer;
  answer.key = std::move(key);
  answer.action = action;
  answer.value = std::move(value);
  deliver([answer](const engine::JobCallbacks& callbacks) { callbacks.on_input(answer); });
}

void FakeJob::cancel() {
  deliver([](const engine::JobCallbacks& callbacks) { callbacks.on_cancel(std::nullopt); });
}

void FakeJob::stop() {
  deliver([](const engine::JobCallbacks& callbacks) { callbacks.on_stop(); });
}

void FakeJob::hold() {
  const std::lock_guard lock(mutex_);
  held_ = true;
}

void FakeJob::release() {
  const std::lock_guard lock(mutex_);
  held_ = false;
  for (Resume& resume : waiting_) resume({});
  waiting_.clear();
}

std::string FakeJob::next() {
  std::unique_lock lock(mutex_);
  if (!came_.wait_for(lock, kHung, [this] { return !reports_.empty(); })) {
    throw std::runtime_error("no report came for " + input_.handle);
  }
  std::string report = std::move(reports_.front());
  reports_.pop_front();
  return report;
}

std::size_t FakeJob::unread() const {
  const std::lock_guard lock(mutex_);
  return reports_.size();
}

Fixture::Fixture() : guard_(io_.get_executor()) {
  std::string pattern = std::filesystem::temp_directory_path() / "interline-runtime-XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  folder_ = pattern;
  for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { io_.run(); });
}

Fixture::~Fixture() {
  guard_.reset();
  threads_.clear();  // ends once the runtime's last process is reaped
  std::filesystem::remove_all(folder_);
}

std::vector<std::string> Fixture::python(const std::string& script) {
  const std::string file = path("agent.py");
  std::ofstream(file) << kPrelude << script;
  return {"python3", file};
}

std::vector<std::string> Fixture::notes() const {
  std::ifstream file(path("notes"));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

void Fixture::make_gate(const std::string& name) const {
  if (::mkfifo(path(name).c_str(), 0600) != 0) throw std::runtime_error("mkfifo");
}

void Fixture::open_gate(const std::string& name) const {
  ::close(::open(path(name).c_str(), O_WRONLY | O_CLOEXEC));
}

std::shared_ptr<FakeJob> Fixture::job(std::string handle, std::string tool,
                                      std::string arguments) const {
  engine::JobInput input;
  input.handle = std::move(handle);
  input.tool = std::move(tool);
  input.arguments = std::move(arguments);
  return std::make_shared<FakeJob>(std::move(input));
}

std::shared_ptr<FakeJob> Fixture::job(engine::JobInput input) const {
  return std::make_shared<FakeJob>(std::move(input));
}

void wait_until_dead(long pid) {
  const int watch = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (watch < 0) return;  // nobody has the number
  pollfd ready{watch, POLLIN, 0};
  const auto limit = std::chrono::milliseconds(kHung).count();
  const int polled = ::poll(&ready, 1, static_cast<int>(limit));
  ::close(watch);
  if (polled != 1) throw std::runtime_error("the process does not end");
}

bool no_children() {
  return ::waitpid(-1, nullptr, WNOHANG) == -1 && errno == ECHILD;
}

}  // namespace interline::runtimes::testing

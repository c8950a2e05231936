// What an earlier boot left is settled or taken up again.
#include <mutex>
#include <optional>
#include <utility>

#include "engine/followups.hpp"
#include "engine/gateway.hpp"
#include "engine/suspend.hpp"

namespace interline::engine {
namespace {

constexpr std::size_t kRecoverAtOnce = 1'000;

}  // namespace

/// One page of open tasks whose Recover commands are in the committer together, so that a start
/// with many of them costs few commits.
struct Gateway::Recovery {
  using Resume = std::move_only_function<void(Result<void>)>;

  Recovery(std::size_t tasks, Resume when_done) : left(tasks), resume(std::move(when_done)) {}

  void done(std::optional<Error> error) {
    const std::lock_guard lock(mutex);
    if (error && !first_error) first_error = std::move(error);
    if (--left > 0) return;
    if (first_error) {
      resume(std::unexpected(*std::move(first_error)));
    } else {
      resume({});
    }
  }

  std::mutex mutex;
  std::size_t left;
  Resume resume;
  std::optional<Error> first_error;
};

void Gateway::recover(std::string task, const std::shared_ptr<Recovery>& recovery, bool again) {
  const auto found = store_.task(task);
  if (!found) return recovery->done(found.error());
  if (!*found) return recovery->done(std::nullopt);
  if (!again) {
    counters_.opened((*found)->state);
    open_tasks_.opened((*found)->admission->owner);
  }
  tasks::Recover command;
  command.boot = store_.boot();
  const auto runtime = dispatcher_.runtime((*found)->admission->endpoint);
  command.resumable = runtime && runtime->features().resumable && !(*found)->memory.empty();
  auto done = [this, task, recovery](const Result<TaskWriter::Applied>& answer) {
    if (!answer && answer.error().kind != ErrorKind::not_found) {
      return recovery->done(answer.error());
    }
    if (answer && may_be_repeated(answer))
      return recover(task, recovery, true);  // a question was asked anew
    // An outcome that commits nothing has effects all the same: what waited, waits again.
    if (answer && !answer->outcome.next) committed(answer->task, answer->outcome);
    recovery->done(std::nullopt);
  };
  Result<void> queued = writer_->submit(std::move(task), command, {}, std::move(done));
  if (!queued) recovery->done(std::move(queued.error()));
}

awaitable<Result<void>> Gateway::recover() {
  std::string after;
  for (;;) {
    auto open = store_.open_tasks(after, kRecoverAtOnce);
    if (!open) co_return std::unexpected(std::move(open.error()));
    if (open->empty()) co_return Result<void>();
    after = open->back();
    auto start = [this, &open](Recovery::Resume resume) {
      const auto recovery = std::make_shared<Recovery>(open->size(), std::move(resume));
      for (std::string& task : *open) recover(std::move(task), recovery);
    };
    auto recovered = co_await suspend<Result<void>>(std::move(start));
    if (!recovered) co_return recovered;
  }
}

}  // namespace interline::engine

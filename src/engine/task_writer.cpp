#include "engine/task_writer.hpp"

#include <memory>
#include <utility>

#include "engine/suspend.hpp"

namespace interline::engine {

TaskWriter::TaskWriter(std::shared_ptr<Committer> committer, const Clock& clock)
    : committer_(std::move(committer)), clock_(clock) {}

Result<void> TaskWriter::submit(std::string task, tasks::Command command,
                                std::vector<store::RecordChange> records, Done done) {
  store::Apply apply;
  apply.task = std::move(task);
  apply.command = std::move(command);
  apply.event_id = fresh_id();
  apply.request_id = fresh_id();
  apply.records = std::move(records);
  return committer_->submit(std::move(apply), Urgency::essential,
                            [this, done = std::move(done)](store::Work& work) mutable {
                              auto& applied = std::get<store::Apply>(work).answer;
                              if (applied && applied->outcome.next)
                                observer_->committed(applied->task, applied->outcome);
                              done(std::move(applied));
                            });
}

boost::asio::awaitable<Result<TaskWriter::Applied>> TaskWriter::apply(
    std::string task, tasks::Command command, std::vector<store::RecordChange> records) {
  using Answer = Result<Applied>;
  auto start = [this, &task, &command, &records](std::move_only_function<void(Answer)> resume) {
    // Shared between the two ways of ending: refused here, or answered by the committer.
    auto shared = std::make_shared<std::move_only_function<void(Answer)>>(std::move(resume));
    Result<void> queued = submit(std::move(task), std::move(command), std::move(records),
                                 [shared](Answer answer) mutable { (*shared)(std::move(answer)); });
    if (!queued) (*shared)(std::unexpected(std::move(queued.error())));
  };
  co_return co_await suspend<Answer>(std::move(start));
}

boost::asio::awaitable<Result<store::Work>> TaskWriter::perform(store::Work work, Urgency urgency,
                                                                OnDone on_done) {
  using Answer = Result<store::Work>;
  auto start = [this, &work, urgency, &on_done](std::move_only_function<void(Answer)> resume) {
    auto shared = std::make_shared<std::move_only_function<void(Answer)>>(std::move(resume));
    Result<void> queued = committer_->submit(
        std::move(work), urgency, [shared, tell = std::move(on_done)](store::Work& done) mutable {
          if (tell) tell(done);
          (*shared)(std::move(done));
        });
    if (!queued) (*shared)(std::unexpected(std::move(queued.error())));
  };
  co_return co_await suspend<Answer>(std::move(start));
}

boost::asio::awaitable<Result<store::Admit::Answer>> TaskWriter::admit(
    store::Admit work, std::move_only_function<void(const tasks::Task&)> on_admitted) {
  using Answer = Result<store::Admit::Answer>;
  auto start = [this, &work, &on_admitted](std::move_only_function<void(Answer)> resume) {
    auto shared = std::make_shared<std::move_only_function<void(Answer)>>(std::move(resume));
    Result<void> queued = committer_->submit(
        std::move(work), Urgency::admission,
        [this, shared, tell = std::move(on_admitted)](store::Work& done) mutable {
          auto& answer = std::get<store::Admit>(done).answer;
          if (answer) {
            if (const auto* made = std::get_if<store::Admit::Admitted>(&*answer)) {
              observer_->admitted(made->task);
              tell(made->task);
            }
          }
          (*shared)(std::move(answer));
        });
    if (!queued) (*shared)(std::unexpected(std::move(queued.error())));
  };
  co_return co_await suspend<Answer>(std::move(start));
}

void TaskWriter::perform_unattended(store::Work work) {
  // A full queue drops it: what is sent this way may be lost by its contract.
  (void)committer_->submit(std::move(work), Urgency::admission, [](store::Work&) {});
}

}  // namespace interline::engine

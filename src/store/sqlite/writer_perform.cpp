// What each kind of work does within the transaction of its group. A work is checked whole before
// it writes anything: one that is refused has changed nothing.
#include <algorithm>
#include <utility>

#include "store/sqlite/writer.hpp"
#include "tasks/apply.hpp"

namespace interline::store {
namespace {

/// What runs may be settled, answered and cancelled out of the reserve; what it says meanwhile
/// waits.
bool may_wait(const tasks::Command& command) {
  return std::holds_alternative<tasks::Progress>(command) ||
         std::holds_alternative<tasks::Note>(command) ||
         std::holds_alternative<tasks::Output>(command) ||
         std::holds_alternative<tasks::Remember>(command);
}

bool is_array_text(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  const std::size_t last = text.find_last_not_of(kSpace);
  return first != std::string_view::npos && first < last && text[first] == '[' && text[last] == ']';
}

}  // namespace

std::optional<Error> Writer::closed() const {
  if (gone_) {
    return Error(ErrorKind::unavailable,
                 "The database was removed; nothing new is taken until it is there again.");
  }
  if (condition_->no_space) {
    return Error(ErrorKind::unavailable,
                 "The disk is full; nothing new is taken until there is space.");
  }
  return std::nullopt;
}

/// The pinned version's number. A deadline is compared at this very commit.
Result<std::int64_t> Writer::admissible(const Admit& work) {
  const tasks::Admission& admission = *work.admission;
  if (auto why = closed()) return std::unexpected(*std::move(why));
  if (condition_->over) {
    return fail(
        ErrorKind::resource_constraint, ErrorReason::too_many,
        "This gateway keeps as much as it may; there is room when settled tasks have gone.");
  }
  const std::optional<CatalogTable::Pin> pin = catalog_.pin(admission.endpoint, admission.version);
  if (!pin || pin->hash != admission.manifest_hash) {
    return fail(ErrorKind::not_found, "No such endpoint, version or tool.");
  }
  if (admission.deadline) {
    const tasks::Deadline& deadline = *admission.deadline;
    if (deadline.at <= Instant(time_.now)) {
      return fail(ErrorKind::not_acceptable, ErrorReason::expired, "The deadline has passed.");
    }
    if (!read_deadline(deadline.at.text(), deadline.source)) {
      return fail(ErrorKind::not_acceptable, "The deadline is out of range.");
    }
  }
  const Result<void> records = records_.check(work.records, admission.id, time_.kept);
  if (!records) return std::unexpected(records.error());
  return pin->number;
}

void Writer::perform(Admit& work) {
  const auto repeated = [&work](Replay first) -> Result<Admit::Answer> {
    if (first.fingerprint == work.claim->fingerprint) return Admit::Answer(std::move(first));
    return fail(ErrorKind::conflict, ErrorReason::different_request,
                "This request identifier was used for another request.");
  };
  const Result<std::int64_t> version = admissible(work);
  tasks::Task task = tasks::admitted(work.admission, work.attached);
  task.dispatched_boot = work.dispatch_boot;
  task.suspended = work.prepared;
  task.answers = work.answers;
  if (work.claim) {
    const Digest claim = claim_digest(work.claim->scope, work.claim->key);
    // What repeats an accepted request is answered from its record, whatever has changed since.
    std::optional<Replay> first = version ? claims_.take(claim, *work.claim, task, time_.kept)
                                          : claims_.find(claim, time_.kept);
    if (first) {
      work.answer = repeated(*std::move(first));
      return;
    }
  }
  if (!version) {
    work.answer = std::unexpected(version.error());
    return;
  }
  const std::int64_t owner = totals_.owner(work.admission->owner);
  const std::int64_t context = totals_.context(owner, work.admission->context);
  const TaskRow& row = tasks_.insert(std::move(task), owner, context, *version);
  totals_.add(owner, context);
  work.answer = Admit::Answer(Admit::Admitted{row.task});
  records_.write(work.records);
}

void Writer::perform(Apply& work) {
  const TaskRow* row = tasks_.find(work.task);
  if (row == nullptr) {
    work.answer = fail(ErrorKind::not_found, "No such task.");
    return;
  }
  if (condition_->no_space && may_wait(work.command)) {
    work.answer = std::unexpected(*closed());
    return;
  }
  const auto* output = std::get_if<tasks::Output>(&work.command);
  if (output != nullptr && !is_array_text(output->chunk.parts)) {
    work.answer = fail(ErrorKind::malformed, "The parts of an artifact are a JSON array.");
    return;
  }
  const tasks::Stamp stamp(time_.now, work.event_id, work.request_id);
  tasks::Outcome outcome = tasks::apply(row->task, work.command, stamp);
  const bool with_records =
      outcome.reply.kind == tasks::Reply::Kind::accepted && !work.records.empty();
  if (with_records) {
    if (const Result<void> records = records_.check(work.records, {}, time_.kept); !records) {
      work.answer = std::unexpected(records.error());
      return;
    }
    row = tasks_.find(work.task);
  }
  if (!outcome.next) {
    work.answer = Apply::Applied{std::move(outcome), row->task};
    return;
  }
  tasks_.update(*row, outcome);
  if (with_records) records_.write(work.records);
  tasks::Task after = *outcome.next;
  work.answer = Apply::Applied{std::move(outcome), std::move(after)};
}

void Writer::perform(ChangeRecords& work) {
  const bool adds =
      std::ranges::any_of(work.records, [](const RecordChange& change) { return !change.drop; });
  if (auto why = closed(); why && adds) {
    work.answer = std::unexpected(*std::move(why));
    return;
  }
  work.answer = records_.check(work.records, {}, time_.kept);
  if (work.answer) records_.write(work.records);
}

void Writer::perform(RegisterVersion& work) {
  auto why = closed();
  work.answer = why ? std::unexpected(*std::move(why)) : catalog_.register_version(work);
}

void Writer::perform(Activate& work) {
  work.answer = catalog_.activate(work);
}

void Writer::perform(Remove& work) {
  flush();
  work.answer = catalog_.remove(work);
}

void Writer::perform(Purge& work) {
  flush();
  work.answer = purger_.run(time_.kept, work.limit);
  totals_.flush();
}

void Writer::perform(Audit& work) {
  if (auto why = closed()) {
    work.answer = std::unexpected(*std::move(why));
    return;
  }
  audit_.append(work, time_.now);
  work.answer = Result<void>();
}

}  // namespace interline::store

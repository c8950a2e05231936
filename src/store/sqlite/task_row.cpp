#include "store/sqlite/task_row.hpp"

#include <utility>

#include "store/stored_values.hpp"
#include "store/task_details.hpp"

// The columns in the order of the enumeration below.
#define INTERLINE_SELECT_TASK                                                                    \
  "SELECT t.number, t.id, t.owner, t.context, t.version, t.state, t.revision, t.sequence,"       \
  " t.updated, t.retain_until, t.dispatched_boot, t.flags, t.outcome,"                           \
  " o.principal, c.context, v.endpoint, v.version, v.hash,"                                      \
  " a.tenant, a.network, a.tool, a.arguments, a.request_key, a.metadata, a.created, a.deadline," \
  " a.deadline_source, a.retention, a.answerable, a.features,"                                   \
  " d.bytes, l.body"                                                                             \
  " FROM tasks t"                                                                                \
  " JOIN admissions a ON a.task = t.number"                                                      \
  " JOIN owners o ON o.number = t.owner"                                                         \
  " JOIN versions v ON v.number = t.version"                                                     \
  " LEFT JOIN contexts c ON c.number = t.context"                                                \
  " LEFT JOIN details d ON d.task = t.number"                                                    \
  " LEFT JOIN log l ON l.task = t.number AND l.sequence = t.outcome "

namespace interline::store {
namespace {

enum Column : std::uint8_t {
  kNumber,
  kId,
  kOwner,
  kContext,
  kVersion,
  kState,
  kRevision,
  kSequence,
  kUpdated,
  kRetainUntil,
  kDispatchedBoot,
  kFlags,
  kOutcome,
  kPrincipal,
  kContextName,
  kEndpoint,
  kVersionName,
  kHash,
  kTenant,
  kNetwork,
  kTool,
  kArguments,
  kRequestKey,
  kMetadata,
  kCreated,
  kDeadline,
  kDeadlineSource,
  kRetention,
  kAnswerable,
  kFeatures,
  kDetails,
  kOutcomeBody,
};

// tasks.flags
constexpr std::uint64_t kHeld = 1;
constexpr std::uint64_t kAttached = 2;
// admissions.features
constexpr std::uint64_t kCancellable = 1;
constexpr std::uint64_t kAsks = 2;
constexpr std::uint64_t kProgress = 4;
constexpr std::uint64_t kRerun = 8;

constexpr std::uint64_t bit_if(bool set, std::uint64_t bit) {
  return set ? bit : 0;
}

template <class Enum>
Enum stored(const Rows& rows, int column, Enum last) {
  const std::uint64_t number = rows.number(column);
  if (!is_known(last, number)) throw CorruptRow("a stored word is none of ours");
  return static_cast<Enum>(number);
}

std::shared_ptr<const tasks::Admission> read_admission(const Rows& rows) {
  auto admission = std::make_shared<tasks::Admission>();
  admission->id = rows.text(kId);
  admission->owner = rows.text(kPrincipal);
  admission->tenant = rows.text(kTenant);
  admission->endpoint = rows.text(kEndpoint);
  admission->version = rows.text(kVersionName);
  admission->manifest_hash = rows.digest(kHash);
  admission->tool = rows.text(kTool);
  admission->arguments = rows.text(kArguments);
  admission->network = rows.text(kNetwork);
  admission->request_key = rows.text(kRequestKey);
  admission->context = rows.text(kContextName);
  admission->metadata = rows.text(kMetadata);
  admission->created = rows.time(kCreated);
  if (!rows.is_null(kDeadline)) {
    admission->deadline =
        read_deadline(rows.bytes(kDeadline), stored(rows, kDeadlineSource, kLastDeadlineSource));
    if (!admission->deadline) throw CorruptRow("a stored deadline cannot be read");
  }
  admission->retention = std::chrono::nanoseconds(rows.integer(kRetention));
  admission->answerable = static_cast<tasks::QuestionKinds>(rows.number(kAnswerable));
  const std::uint64_t features = rows.number(kFeatures);
  admission->cancellable = (features & kCancellable) != 0;
  admission->asks = (features & kAsks) != 0;
  admission->reports_progress = (features & kProgress) != 0;
  admission->rerun_on_restart = (features & kRerun) != 0;
  return admission;
}

}  // namespace

const std::string_view kSelectTaskById = INTERLINE_SELECT_TASK "WHERE t.id = ?1";
const std::string_view kSelectTaskByNumber = INTERLINE_SELECT_TASK "WHERE t.number = ?1";

std::uint64_t flags_of(const tasks::Task& task) {
  return bit_if(task.held, kHeld) | bit_if(task.attached, kAttached);
}

std::uint64_t features_of(const tasks::Admission& admission) {
  return bit_if(admission.cancellable, kCancellable) | bit_if(admission.asks, kAsks) |
         bit_if(admission.reports_progress, kProgress) | bit_if(admission.rerun_on_restart, kRerun);
}

std::optional<tasks::Deadline> read_deadline(std::string_view text, tasks::DeadlineSource source) {
  Result<Instant> instant = Instant::parse_xep0082(text);
  if (!instant) instant = Instant::parse_rfc3339(text);
  if (!instant) return std::nullopt;
  return tasks::Deadline(*std::move(instant), source);
}

TaskRow read_task_row(const Rows& rows) {
  TaskRow row;
  row.number = rows.integer(kNumber);
  row.owner = rows.integer(kOwner);
  row.context = rows.integer(kContext);
  row.version = rows.integer(kVersion);
  tasks::Task& task = row.task;
  task.admission = read_admission(rows);
  task.state = stored(rows, kState, kLastState);
  task.revision = rows.number(kRevision);
  task.sequence = rows.number(kSequence);
  task.updated = rows.time(kUpdated);
  task.retain_until = rows.time(kRetainUntil);
  task.dispatched_boot = rows.number(kDispatchedBoot);
  const std::uint64_t flags = rows.number(kFlags);
  task.held = (flags & kHeld) != 0;
  task.attached = (flags & kAttached) != 0;
  if (!rows.is_null(kOutcome)) {
    row.outcome_at = rows.number(kOutcome);
    task.outcome = rows.text(kOutcomeBody);
  }
  if (const Result<void> decoded = decode_details(rows.bytes(kDetails), task); !decoded) {
    throw CorruptRow(decoded.error().message);
  }
  return row;
}

}  // namespace interline::store

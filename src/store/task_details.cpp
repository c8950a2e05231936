#include "store/task_details.hpp"

#include <utility>

#include "store/byte_codec.hpp"
#include "store/stored_values.hpp"

namespace interline::store {
namespace {

constexpr std::uint8_t kVersion = 1;

// Presence of the whole.
constexpr unsigned kPending = 1U << 0U;
constexpr unsigned kAnswers = 1U << 1U;
constexpr unsigned kPast = 1U << 2U;
constexpr unsigned kCancel = 1U << 3U;
constexpr unsigned kSuspended = 1U << 4U;
constexpr unsigned kMemory = 1U << 5U;
constexpr unsigned kOutcome = 1U << 6U;
constexpr unsigned kAllParts = 0x7F;
// Presence within a cancellation.
constexpr unsigned kFingerprint = 1;
constexpr unsigned kReason = 2;
constexpr unsigned kAllCancelParts = 3;

std::uint8_t parts_of(const tasks::Task& task, std::string_view outcome) {
  unsigned parts = 0;
  if (task.pending) parts |= kPending;
  if (!task.answers.empty()) parts |= kAnswers;
  if (!task.past.empty()) parts |= kPast;
  if (task.cancel) parts |= kCancel;
  if (task.suspended) parts |= kSuspended;
  if (!task.memory.empty()) parts |= kMemory;
  if (!outcome.empty()) parts |= kOutcome;
  return static_cast<std::uint8_t>(parts);
}

void put(ByteWriter& out, const std::optional<Digest>& digest) {
  out.byte(digest ? 1 : 0);
  if (digest) out.digest(*digest);
}

void put(ByteWriter& out, const tasks::Question& question) {
  out.text(question.id);
  out.text(question.key);
  out.byte(static_cast<std::uint8_t>(question.kind));
  out.text(question.text);
  out.text(question.schema);
  out.text(question.url);
  out.byte(question.expires_at ? 1 : 0);
  if (question.expires_at) out.time(*question.expires_at);
  out.signed_number(question.expires_in.count());
  out.number(question.reasks_left);
}

void put(ByteWriter& out, const tasks::InputRequest& request) {
  out.text(request.id);
  out.time(request.created);
  out.number(request.questions.size());
  for (const tasks::Question& question : request.questions) put(out, question);
}

void put(ByteWriter& out, const tasks::Answer& answer) {
  out.text(answer.question);
  out.text(answer.key);
  out.byte(static_cast<std::uint8_t>(answer.action));
  out.text(answer.value);
  out.digest(answer.digest);
  out.number(answer.revision);
}

void put(ByteWriter& out, const tasks::PastRequest& past) {
  out.text(past.id);
  out.byte(static_cast<std::uint8_t>(past.disposition));
  put(out, past.fingerprint);
  out.number(past.revision);
}

void put(ByteWriter& out, const tasks::CancelRecord& cancel) {
  const unsigned parts = (cancel.fingerprint ? kFingerprint : 0U) | (cancel.reason ? kReason : 0U);
  out.byte(static_cast<std::uint8_t>(parts));
  if (cancel.fingerprint) out.digest(*cancel.fingerprint);
  out.number(cancel.revision);
  if (cancel.reason) out.text(*cancel.reason);
}

template <class T>
void put(ByteWriter& out, const std::vector<T>& elements) {
  out.number(elements.size());
  for (const T& element : elements) put(out, element);
}

bool flag(ByteReader& in) {
  const std::uint8_t value = in.byte();
  if (value > 1) in.refuse();
  return value == 1;
}

template <class Enum>
Enum word(ByteReader& in, Enum last) {
  const std::uint8_t value = in.byte();
  if (!is_known(last, value)) in.refuse();
  return static_cast<Enum>(value);
}

std::optional<Digest> optional_digest(ByteReader& in) {
  if (!flag(in)) return std::nullopt;
  return in.digest();
}

void get(ByteReader& in, tasks::Question& question) {
  question.id = in.text();
  question.key = in.text();
  question.kind = word(in, kLastQuestionKind);
  question.text = in.text();
  question.schema = in.text();
  question.url = in.text();
  if (flag(in)) question.expires_at = in.time();
  question.expires_in = std::chrono::nanoseconds(in.signed_number());
  const std::uint64_t reasks = in.number();
  if (reasks > UINT32_MAX) in.refuse();
  question.reasks_left = static_cast<std::uint32_t>(reasks);
}

void get(ByteReader& in, tasks::Answer& answer) {
  answer.question = in.text();
  answer.key = in.text();
  answer.action = word(in, kLastAnswerAction);
  answer.value = in.text();
  answer.digest = in.digest();
  answer.revision = in.number();
}

void get(ByteReader& in, tasks::PastRequest& past) {
  past.id = in.text();
  past.disposition = word(in, kLastDisposition);
  past.fingerprint = optional_digest(in);
  past.revision = in.number();
}

template <class T>
void get(ByteReader& in, std::vector<T>& elements) {
  const std::size_t count = in.count();
  if (count == 0) in.refuse();
  for (std::size_t i = 0; i < count && in.ok(); ++i) get(in, elements.emplace_back());
}

void get(ByteReader& in, tasks::InputRequest& request) {
  request.id = in.text();
  request.created = in.time();
  get(in, request.questions);
}

void get(ByteReader& in, tasks::CancelRecord& cancel) {
  const std::uint8_t parts = in.byte();
  if (parts > kAllCancelParts) in.refuse();
  if ((parts & kFingerprint) != 0) cancel.fingerprint = in.digest();
  cancel.revision = in.number();
  if ((parts & kReason) != 0) cancel.reason = in.text();
}

}  // namespace

std::string encode_details(const tasks::Task& task, std::string_view outcome) {
  const std::uint8_t parts = parts_of(task, outcome);
  if (parts == 0 && task.resume_from == 0) return {};
  ByteWriter out;
  out.byte(kVersion);
  out.byte(parts);
  if (task.pending) put(out, *task.pending);
  if (!task.answers.empty()) put(out, task.answers);
  if (!task.past.empty()) put(out, task.past);
  if (task.cancel) put(out, *task.cancel);
  if (task.suspended) out.text(*task.suspended);
  if (!task.memory.empty()) out.text(task.memory);
  if (!outcome.empty()) out.text(outcome);
  out.number(task.resume_from);
  return out.take();
}

Result<void> decode_details(std::string_view bytes, tasks::Task& task) {
  if (bytes.empty()) return {};
  ByteReader in(bytes);
  if (in.byte() != kVersion) in.refuse();
  const std::uint8_t parts = in.byte();
  if (parts > kAllParts) in.refuse();
  if ((parts & kPending) != 0) get(in, task.pending.emplace());
  if ((parts & kAnswers) != 0) get(in, task.answers);
  if ((parts & kPast) != 0) get(in, task.past);
  if ((parts & kCancel) != 0) get(in, task.cancel.emplace());
  if ((parts & kSuspended) != 0) task.suspended = in.text();
  if ((parts & kMemory) != 0) {
    task.memory = in.text();
    if (task.memory.empty()) in.refuse();
  }
  if ((parts & kOutcome) != 0) {
    task.outcome = in.text();
    if (task.outcome.empty()) in.refuse();
  }
  task.resume_from = static_cast<std::size_t>(in.number());
  if (parts == 0 && task.resume_from == 0) in.refuse();
  if (!in.at_end()) return fail(ErrorKind::internal, "A stored task cannot be read.");
  return {};
}

bool same_details(const tasks::Task& a, const tasks::Task& b) {
  return a.resume_from == b.resume_from && a.pending == b.pending && a.answers == b.answers &&
         a.past == b.past && a.cancel == b.cancel && a.suspended == b.suspended &&
         a.memory == b.memory;
}

}  // namespace interline::store

#include "protocols/a2a/server/kept_messages.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/base64.hpp"
#include "base/sha256.hpp"

namespace interline::protocols::a2a::server {
namespace {

constexpr std::string_view kKind = "message";
/// Sorts after everything that an id is made of: between a task's own key and this stand no others.
constexpr char kAfterId = '~';
constexpr char kEndOfTime = ' ';

/// When it came, in nanoseconds, then the message.
std::string bytes_of(const Core& core, const std::string& text) {
  return std::to_string(core.clock.now().time_since_epoch().count()) + kEndOfTime + text;
}

KeptMessage read(const std::string& bytes) {
  KeptMessage kept;
  const auto end = bytes.find(kEndOfTime);
  std::int64_t count = 0;
  std::from_chars(bytes.data(), bytes.data() + std::min(end, bytes.size()), count);
  kept.time = SystemTime(std::chrono::nanoseconds(count));
  kept.text = end == std::string::npos ? bytes : bytes.substr(end + 1);
  return kept;
}

/// The first message was written down before its task had an id. What is in quotes has its own
/// quotes escaped: the member is found only where it is one.
void name_task(KeptMessage& message, std::string_view task) {
  const auto role = message.text.find(R"("role":)");
  if (role == std::string::npos) return;
  message.text.insert(role, R"("taskId":")" + std::string(task) + R"(",)");
}

store::RecordChange change(const Core& core, const Principal& who, const std::string& text) {
  store::RecordChange made;
  made.record.binding = kNetwork;
  made.record.kind = kKind;
  made.record.owner = who.text();
  made.record.bytes = bytes_of(core, text);
  return made;
}

std::string key_of(const std::string& task, std::string_view message_id) {
  return task + kAfterId + encode_base64url(BytesView(sha256(message_id)));
}

/// What the agent asked and is asked no longer: the question that is open is in the status.
awaitable<void> add_questions(Core& core, const Principal& who, const tasks::Task& task,
                              std::vector<KeptMessage>& history) {
  const std::string open = task.pending ? task.pending->id : std::string();
  auto watch = co_await core.engine.watch(who, task.id(), 0);
  if (!watch) co_return;
  for (;;) {
    const auto entry = co_await (*watch)->next();
    if (!entry || !*entry || (*entry)->sequence > task.sequence) co_return;
    auto asked = asked_message(task, **entry);
    const bool current = !open.empty() && (*entry)->body.find(open) != std::string::npos;
    if (asked && !current) history.push_back(*std::move(asked));
    if ((*entry)->sequence == task.sequence) co_return;
  }
}

}  // namespace

store::RecordChange first_message(const Core& core, const Principal& who, const std::string& text) {
  return change(core, who, text);
}

store::RecordChange next_message(const Core& core, const Principal& who, const std::string& task,
                                 std::string_view message_id, const std::string& text) {
  store::RecordChange made = change(core, who, text);
  made.record.task = task;
  made.record.key = core.settings.once ? key_of(task, message_id)
                                       : key_of(task, std::string(message_id) + made.record.bytes);
  if (core.settings.once) made.expect = store::Expect::absent;
  return made;
}

awaitable<bool> was_taken(Core& core, const std::string& task, std::string_view message_id) {
  if (!core.settings.once) co_return false;
  engine::RecordKey key{std::string(kNetwork), std::string(kKind), key_of(task, message_id)};
  const auto found = co_await core.engine.record(std::move(key));
  co_return found && found->has_value();
}

awaitable<std::vector<KeptMessage>> history_of(Core& core, const Principal& who,
                                               const tasks::Task& task,
                                               std::optional<std::int32_t> length) {
  std::vector<KeptMessage> history;
  if (length == 0) co_return history;
  engine::RecordKey key{std::string(kNetwork), std::string(kKind), task.id()};
  const auto first = co_await core.engine.record(std::move(key));
  if (first && *first) {
    history.push_back(read((*first)->bytes));
    name_task(history.back(), task.id());
  }
  if (task.past.empty() && !task.pending) co_return history;
  const auto rest = co_await core.engine.records(std::string(kNetwork), std::string(kKind),
                                                 task.id(), core.settings.history);
  if (rest) {
    for (const store::Record& record : *rest) {
      if (!record.key.starts_with(task.id() + kAfterId)) break;
      history.push_back(read(record.bytes));
    }
  }
  co_await add_questions(core, who, task, history);
  co_return history;
}

}  // namespace interline::protocols::a2a::server

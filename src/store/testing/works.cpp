#include "store/testing/works.hpp"

#include <sstream>

#include "base/bytes.hpp"
#include "store/task_details.hpp"

namespace interline::store::testing {
namespace {

constexpr std::size_t kAll = 1'000'000;

std::int64_t count(SystemTime time) {
  return time.time_since_epoch().count();
}

std::string hex(std::string_view bytes) {
  return to_hex(as_bytes(bytes));
}

std::string describe(const Error& error) {
  return std::string(to_string(error.kind)) + '/' + std::string(to_string(error.reason));
}

struct AnswerText {
  std::string operator()(const Admit& work) const {
    if (!work.answer) return describe(work.answer.error());
    if (const auto* first = std::get_if<Replay>(&*work.answer)) {
      return "replay " + first->task + ' ' + first->answer;
    }
    return "admitted " + testing::describe(std::get<Admit::Admitted>(*work.answer).task);
  }
  std::string operator()(const Apply& work) const {
    if (!work.answer) return describe(work.answer.error());
    const tasks::Outcome& outcome = work.answer->outcome;
    std::string text = "reply " + std::to_string(static_cast<int>(outcome.reply.kind)) + ' ' +
                       std::to_string(outcome.reply.revision);
    if (outcome.reply.error) text += ' ' + describe(*outcome.reply.error);
    for (const tasks::Effect effect : outcome.effects) {
      text += " effect " + std::to_string(static_cast<int>(effect));
    }
    return text + (outcome.next ? " next " : " same ") + testing::describe(work.answer->task);
  }
  std::string operator()(const Purge& work) const {
    return work.answer ? "purged" : describe(work.answer.error());
  }
  template <class Other>
  std::string operator()(const Other& work) const {
    return work.answer ? "ok" : describe(work.answer.error());
  }
};

}  // namespace

std::string describe(const tasks::Task& task) {
  const tasks::Admission& a = *task.admission;
  std::ostringstream out;
  out << a.id << '|' << a.owner << '|' << a.tenant << '|' << a.endpoint << '|' << a.version << '|'
      << to_hex(a.manifest_hash) << '|' << a.tool << '|' << a.arguments << '|' << a.network << '|'
      << a.request_key << '|' << a.context << '|' << a.metadata << '|' << count(a.created) << '|';
  if (a.deadline) out << a.deadline->at.text() << ' ' << static_cast<int>(a.deadline->source);
  out << '|' << a.retention.count() << '|' << static_cast<int>(a.answerable) << '|' << a.cancellable
      << a.asks << a.reports_progress << a.rerun_on_restart << '|' << to_string(task.state) << '|'
      << task.revision << '|' << task.sequence << '|' << count(task.updated) << '|'
      << count(task.retain_until) << '|' << task.dispatched_boot << '|' << task.held
      << task.attached << '|' << hex(encode_details(task, task.outcome));
  return out.str();
}

std::string describe(const tasks::LogEntry& entry) {
  std::ostringstream out;
  out << entry.sequence << '|' << (entry.revision ? std::to_string(*entry.revision) : "-") << '|'
      << to_string(entry.type) << '|' << to_string(entry.state) << '|' << entry.event_id << '|'
      << entry.body << '|' << count(entry.time);
  return out.str();
}

std::string describe(const Record& record) {
  std::ostringstream out;
  out << record.binding << '|' << record.kind << '|' << record.key << '|' << record.owner << '|'
      << record.task << '|' << (record.expires ? count(*record.expires) : 0) << '|'
      << hex(record.bytes);
  return out.str();
}

std::string describe_answer(const Work& work) {
  return std::visit(AnswerText{}, work);
}

std::string describe(Store& store, const std::vector<std::string>& tasks) {
  std::ostringstream out;
  for (const std::string& id : tasks) {
    const auto task = store.task(id).value();
    out << id << ": " << (task ? describe(*task) : "none") << '\n';
    for (const tasks::LogEntry& entry : value_of(store.log(id, 0, kAll))) {
      out << "  log " << describe(entry) << '\n';
    }
    for (const Artifact& artifact : value_of(store.artifacts(id))) {
      out << "  artifact " << artifact.id << artifact.parts << artifact.complete << '\n';
    }
    for (const Record& record : value_of(store.records_of_task(id, "xmpp"))) {
      out << "  record " << describe(record) << '\n';
    }
  }
  TaskQuery all;
  all.limit = kAll;
  const TaskPage page = store.list_tasks(all).value();
  out << "total " << page.total << '\n';
  for (const tasks::Task& task : page.tasks) out << "listed " << task.id() << '\n';
  for (const auto& [at, id] : value_of(store.due_before(SystemTime::max()))) {
    out << "due " << count(at) << ' ' << id << '\n';
  }
  for (const std::string& id : value_of(store.open_tasks("", kAll))) out << "open " << id << '\n';
  for (const Record& record : value_of(store.records("xmpp", "route", "", kAll))) {
    out << "record " << describe(record) << '\n';
  }
  for (const EndpointRow& endpoint : value_of(store.endpoints("", kAll))) {
    out << "endpoint " << endpoint.name << '|' << endpoint.active << '|' << endpoint.title << '|'
        << endpoint.agent << '|' << endpoint.origin << '\n';
    for (const VersionRow& version : value_of(store.versions(endpoint.name))) {
      out << "  version " << version.version << '|' << to_hex(version.hash) << '|' << version.active
          << version.removable << '|'
          << store.manifest(endpoint.name, version.version).value().value_or("none") << '|'
          << store.loss_report(endpoint.name, version.version).value() << '\n';
    }
  }
  for (const AuditRow& row : value_of(store.audit("default", 0, kAll))) {
    out << "audit " << row.sequence << '|' << row.type << '|' << row.body << '|' << count(row.time)
        << '\n';
  }
  return out.str();
}

}  // namespace interline::store::testing

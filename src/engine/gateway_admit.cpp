// Admission: from a call as a binding understood it to a task, or to the one it repeats.
//
// The order is the ProtoXEP's: what repeats an accepted request is answered from its record before
// anything that may have changed since; then authorisation, which makes one answer of everything
// absent or forbidden; then versions, arguments, deadline, schema, capacity; then the commit, which
// compares the request key and the deadline again. The record is looked up only when some check has
// failed: where all pass, the commit itself finds it.
#include <algorithm>
#include <charconv>
#include <utility>

#include "engine/gateway.hpp"
#include "engine/gateway_prepared.hpp"
#include "engine/length_prefixed.hpp"
#include "engine/suspend.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"

namespace interline::engine {
namespace {

std::unexpected<Error> unknown() {
  return fail(ErrorKind::not_found, "No such endpoint, version or tool.");
}

std::string scope_of(const Principal& who, const Invocation& invocation) {
  std::string scope;
  append_length_prefixed(scope, invocation.replay_label);
  append_length_prefixed(scope, who.text());
  append_length_prefixed(scope, invocation.endpoint);
  return scope;
}

Digest fingerprint_of(const Invocation& invocation, std::string_view canonical) {
  std::string bytes = invocation.fingerprint_head;
  append_length_prefixed(bytes, canonical);
  bytes.append(invocation.fingerprint_tail);
  if (invocation.prepared || !invocation.answers.empty()) {  // else as it always was
    append_length_prefixed(bytes, invocation.prepared.value_or(std::string()));
    for (const tasks::Answer& answer : invocation.answers) {
      append_length_prefixed(bytes, answer.key);
      append_length_prefixed(bytes, tasks::to_string(answer.action));
      append_length_prefixed(bytes, answer.value);
    }
  }
  return sha256(bytes);
}

// What the first answer said, in a replay record: two decimal nanosecond counts.
std::string encode_answer(SystemTime created, SystemTime retain_until) {
  return std::to_string(created.time_since_epoch().count()) + ' ' +
         std::to_string(retain_until.time_since_epoch().count());
}

Result<Admission> decode_answer(const store::Replay& replay) {
  const std::string& text = replay.answer;
  const char* const end = text.data() + text.size();
  std::int64_t created = 0;
  std::int64_t retain = 0;
  const auto first = std::from_chars(text.data(), end, created);
  const bool read = first.ec == std::errc() && first.ptr != end &&
                    std::from_chars(first.ptr + 1, end, retain).ec == std::errc();
  if (!read) return fail(ErrorKind::internal, "A stored admission cannot be read.");
  Admission admission;
  admission.task = replay.task;
  admission.created = SystemTime(std::chrono::nanoseconds(created));
  admission.retain_until = SystemTime(std::chrono::nanoseconds(retain));
  admission.replayed = true;
  return admission;
}

policy::ToolFacts facts_of(const catalog::Tool& tool) {
  policy::ToolFacts facts;
  facts.destructive = tool.annotations.destructive.value_or(false);
  facts.required_permissions = tool.required_permissions;
  facts.approval_required = tool.approval_required;
  return facts;
}

Error schema_mismatch(const schema::Report& report) {
  if (report.verdict == schema::Verdict::budget_exceeded) {
    return {ErrorKind::resource_constraint, ErrorReason::too_large,
            "The arguments are too costly to check against the tool's schema."};
  }
  std::string message = "The arguments do not match the tool's input schema";
  if (!report.errors.empty()) {
    const schema::ValidationError& first = report.errors.front();
    const std::string_view where =
        first.instance_location.empty() ? std::string_view("the root") : first.instance_location;
    message.append(": ").append(where).append(" ").append(first.message);
  }
  return {ErrorKind::not_acceptable, std::move(message)};
}

}  // namespace

bool Gateway::invocable(const Principal& who, std::string_view endpoint,
                        const catalog::Tool& tool) const {
  return policy()->invocable(who, endpoint, tool.name, facts_of(tool));
}

Result<std::string> Gateway::canonical_arguments(std::string_view text) const {
  json::Limits limits;
  limits.bytes = configuration_.arguments_bytes;
  limits.string_bytes = configuration_.arguments_bytes;
  limits.depth = configuration_.json_depth;
  const auto parsed = json::parse_borrowed(text, limits);
  if (!parsed) return std::unexpected(json::to_error(parsed.error()));
  return json::canonical(parsed->root());
}

std::optional<tasks::Deadline> Gateway::effective_deadline(const Invocation& invocation,
                                                           const catalog::Tool& tool,
                                                           SystemTime now) const {
  std::optional<tasks::Deadline> earliest;
  const auto consider = [&earliest](Instant at, tasks::DeadlineSource source) {
    if (!earliest || at < earliest->at) earliest.emplace(std::move(at), source);
  };
  const Instant created(now);
  if (invocation.deadline) {
    consider(*invocation.deadline, tasks::DeadlineSource::caller);
  } else if (tool.default_timeout_seconds) {
    consider(created + std::chrono::seconds(*tool.default_timeout_seconds),
             tasks::DeadlineSource::caller);
  }
  if (tool.maximum_timeout_seconds) {
    consider(created + std::chrono::seconds(*tool.maximum_timeout_seconds),
             tasks::DeadlineSource::caller);
  }
  consider(created + configuration_.max_duration, tasks::DeadlineSource::max_duration);
  return earliest;
}

/// What prepare() of the agent led to, as it comes back by way of the caller.
Result<void> Gateway::check_prepared(const Invocation& invocation) const {
  if (!invocation.prepared && invocation.answers.empty()) return {};
  Consultation round;
  round.state = invocation.prepared;
  round.answers = invocation.answers;
  return check_sizes(round, consultation_limits());
}

Result<Gateway::Prepared> Gateway::prepare(const Principal& who, const Invocation& invocation,
                                           FoundManifest found, const std::string& active) const {
  const catalog::Tool* tool = found ? (*found)->find_tool(invocation.tool) : nullptr;
  if (tool == nullptr) {
    if (!found && found.error().kind != ErrorKind::not_found) {
      return std::unexpected(std::move(found.error()));
    }
    return unknown();
  }
  // The name was decided on before; what the tool is may ask for more.
  const policy::ToolFacts facts = facts_of(*tool);
  const bool asks_more =
      facts.destructive || facts.approval_required || !facts.required_permissions.empty();
  if (asks_more && !policy()->may_invoke(who, invocation.endpoint, invocation.tool, facts)) {
    return unknown();
  }
  if ((*found)->version != active && !configuration_.invoke_registered) {
    return fail(ErrorKind::conflict,
                "This version is not the active one; read the endpoint again.");
  }
  if (invocation.manifest_hash && *invocation.manifest_hash != (*found)->hash) {
    return fail(ErrorKind::conflict, "The manifest hash is not that of this version.");
  }

  Prepared prepared;
  prepared.manifest = *std::move(found);
  prepared.tool = tool;
  json::Limits limits;
  limits.bytes = configuration_.arguments_bytes;
  limits.string_bytes = configuration_.arguments_bytes;
  limits.depth = configuration_.json_depth;
  const auto arguments = json::parse_borrowed(invocation.arguments, limits);
  if (!arguments) return std::unexpected(json::to_error(arguments.error()));

  if (const Result<void> fits = check_prepared(invocation); !fits) {
    return std::unexpected(fits.error());
  }
  prepared.now = clock_.now();
  if (invocation.deadline && *invocation.deadline <= Instant(prepared.now)) {
    return fail(ErrorKind::not_acceptable, ErrorReason::expired, "The deadline has passed.");
  }
  prepared.deadline = effective_deadline(invocation, *tool, prepared.now);

  if (tool->input_schema->validate(arguments->root()) != schema::Verdict::valid) {
    return std::unexpected(schema_mismatch(tool->input_schema->report(arguments->root())));
  }
  prepared.arguments = json::canonical(arguments->root());
  return prepared;
}

/// A failed check, unless the request repeats one that was accepted.
Result<Admission> Gateway::repeat(const Principal& who, const Invocation& invocation,
                                  Error otherwise) {
  if (invocation.request_key.empty()) return std::unexpected(std::move(otherwise));
  auto stored = store_.replay(scope_of(who, invocation), invocation.request_key,
                              retention_clock_.read().kept);
  if (!stored) return std::unexpected(std::move(stored.error()));
  if (!*stored) return std::unexpected(std::move(otherwise));
  auto canonical = canonical_arguments(invocation.arguments);
  if (!canonical) return std::unexpected(std::move(canonical.error()));
  if (fingerprint_of(invocation, *canonical) == (*stored)->fingerprint) {
    return decode_answer(**stored);
  }
  // What was not found may be the version alone: who may call this tool as it is now has reused the
  // identifier of an accepted request, whatever version is named.
  const auto may_call = [&] {
    const std::string active = active_version(invocation.endpoint);
    const bool by_name =
        policy()->may_invoke(who, invocation.endpoint, invocation.tool, policy::ToolFacts());
    if (!by_name || active.empty()) return false;
    const FoundManifest found = load_manifest(invocation.endpoint, active);
    const catalog::Tool* tool = found ? (*found)->find_tool(invocation.tool) : nullptr;
    return tool != nullptr &&
           policy()->may_invoke(who, invocation.endpoint, invocation.tool, facts_of(*tool));
  };
  if (otherwise.kind == ErrorKind::not_found && !may_call()) {
    return std::unexpected(std::move(otherwise));
  }
  return fail(ErrorKind::conflict, ErrorReason::different_request,
              "This request identifier was used for another request.");
}

/// What the first of several copies was told is told to each, a refusal too: only for another
/// content, or where the first never got so far that contents compare, the copy goes on by itself.
std::optional<Result<Admission>> Gateway::answer_of(const AdmissionsInFlight::Ended& first,
                                                    const Invocation& copy) const {
  if (!first.fingerprint) return std::nullopt;
  const auto canonical = canonical_arguments(copy.arguments);
  if (!canonical || fingerprint_of(copy, *canonical) != *first.fingerprint) return std::nullopt;
  Result<Admission> answer = *first.answer;
  if (answer) answer->replayed = true;
  return answer;
}

awaitable<Result<Admission>> Gateway::admit(Principal who, Invocation invocation) {
  const std::string network = invocation.network;
  auto answer = co_await admit_uncounted(std::move(who), std::move(invocation));
  if (answer) {
    counters_.accepted(network, answer->replayed);
  } else {
    counters_.refused(network, answer.error().kind);
  }
  co_return answer;
}

/// Copies of one call that come at the same time are one call: the first is admitted, the others
/// wait for its answer. So none of them takes a place in the queue from the other, and none is
/// refused for what its twin is being admitted with.
awaitable<Result<Admission>> Gateway::admit_uncounted(Principal who, Invocation invocation) {
  if (invocation.request_key.empty()) {
    std::optional<Digest> none;
    co_return co_await admit_now(std::move(who), std::move(invocation), none);
  }
  std::string claim = scope_of(who, invocation);
  append_length_prefixed(claim, invocation.request_key);
  for (;;) {
    if (std::optional<AdmissionsInFlight::Turn> turn = in_flight_.enter(claim)) {
      std::optional<Digest> fingerprint;
      auto answer = co_await admit_now(std::move(who), std::move(invocation), fingerprint);
      if (fingerprint) turn->end_with(*fingerprint, answer);
      co_return answer;
    }
    const auto ended = co_await in_flight_.wait(claim);
    if (!ended) co_return std::unexpected(ended.error());
    if (auto answer = answer_of(*ended, invocation)) co_return *std::move(answer);
  }
}

/// All that is decided before a place is taken.
awaitable<Result<Gateway::Prepared>> Gateway::prepare_call(const Principal& who,
                                                           const Invocation& invocation) {
  // Names alone decide first, in the same work whether the endpoint exists or not: a manifest is
  // read only for those who may invoke something of that name.
  const std::string active = active_version(invocation.endpoint);
  const bool by_name =
      policy()->may_invoke(who, invocation.endpoint, invocation.tool, policy::ToolFacts());
  FoundManifest found = unknown();
  if (by_name && !active.empty()) {
    const std::string wanted = invocation.version.empty() ? active : invocation.version;
    found = manifests_.find(invocation.endpoint, wanted);
    if (!*found) found = co_await manifest(invocation.endpoint, wanted);
  }
  if (invocation.arguments.size() <= kCheckInPlace) {
    co_return prepare(who, invocation, std::move(found), active);
  }
  auto costly = [&] { return prepare(who, invocation, std::move(found), active); };
  co_return co_await run_on<Result<Prepared>>(workers_.get_executor(), std::move(costly));
}

/// `fingerprint` is set as soon as it is known, where there is a request key.
awaitable<Result<Admission>> Gateway::admit_now(Principal who, Invocation invocation,
                                                std::optional<Digest>& fingerprint) {
  Result<Prepared> prepared = co_await prepare_call(who, invocation);
  if (!prepared) co_return repeat(who, invocation, std::move(prepared.error()));
  if (!invocation.request_key.empty()) {
    fingerprint = fingerprint_of(invocation, prepared->arguments);
  }
  auto counted = open_tasks_.reserve(who.text());
  if (!counted) co_return repeat(who, invocation, std::move(counted.error()));
  auto reserved = dispatcher_.reserve(invocation.endpoint);
  if (!reserved) co_return repeat(who, invocation, std::move(reserved.error()));
  auto place = std::make_shared<Dispatcher::Place>(*std::move(reserved));

  const catalog::Tool& tool = *prepared->tool;
  const RuntimeFeatures features = place->features();
  auto made = std::make_shared<tasks::Admission>();
  made->id = writer_->fresh_id();
  made->owner = who.text();
  made->tenant = policy()->party(who).tenant;
  made->endpoint = invocation.endpoint;
  made->version = prepared->manifest->version;
  made->manifest_hash = prepared->manifest->hash;
  made->tool = tool.name;
  made->arguments = std::move(prepared->arguments);
  made->network = invocation.network;
  made->request_key = invocation.request_key;
  made->context = invocation.context;
  made->metadata = invocation.metadata;
  made->created = prepared->now;
  made->deadline = std::move(prepared->deadline);
  made->retention = configuration_.retention;
  made->answerable = invocation.answerable;
  made->cancellable = tool.supports_cancellation && features.cancel;
  made->asks = tool.supports_input && features.input;
  made->reports_progress = tool.supports_progress && features.progress;
  made->rerun_on_restart = place->rerun_on_restart();

  store::Admit work;
  const SystemTime retain_until = made->created + made->retention;
  if (fingerprint) {
    store::ReplayClaim claim;
    claim.scope = scope_of(who, invocation);
    claim.key = invocation.request_key;
    claim.fingerprint = *fingerprint;
    claim.answer = encode_answer(made->created, retain_until);
    claim.expires = made->created + configuration_.replay_window;
    work.claim = std::move(claim);
  }
  work.prepared = std::move(invocation.prepared);
  work.answers = std::move(invocation.answers);
  if (!work.prepared && !work.answers.empty()) work.prepared.emplace();  // they need a state
  work.attached = invocation.attached;
  work.dispatch_boot = place->immediate() ? dispatcher_.boot() : 0;
  work.records = std::move(invocation.records);
  for (store::RecordChange& change : work.records) {
    if (!change.record.key.empty()) continue;
    change.record.key = made->id;  // a record of the task itself
    change.record.task = made->id;
  }
  Admission admission;
  admission.task = made->id;
  admission.created = made->created;
  admission.retain_until = retain_until;
  work.admission = std::move(made);

  // On the committer's thread: whatever happens to the task next finds its work in place.
  auto start_work = [place = std::move(place),
                     one_more = *std::move(counted)](const tasks::Task& task) mutable {
    one_more.keep();
    place->use(task);
  };
  auto answer = co_await writer_->admit(std::move(work), std::move(start_work));
  if (!answer) co_return std::unexpected(std::move(answer.error()));
  if (const auto* replay = std::get_if<store::Replay>(&*answer)) co_return decode_answer(*replay);
  co_return admission;
}

}  // namespace interline::engine

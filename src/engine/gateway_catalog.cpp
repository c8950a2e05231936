// Directory, metadata and administration: what may be seen, and by whom it is changed.
#include <utility>

#include <boost/asio/post.hpp>

#include "engine/gateway.hpp"
#include "engine/record_change.hpp"
#include "engine/suspend.hpp"

namespace interline::engine {
namespace {

constexpr std::size_t kLoadAtOnce = 10'000;

std::unexpected<Error> unknown() {
  return fail(ErrorKind::not_found, "No such endpoint, version or tool.");
}
/// What lists show beside the address: the title, else the agent's own name where it differs.
std::string shown_title(std::string_view endpoint, const catalog::Manifest& manifest) {
  if (!manifest.title.empty() || manifest.name == endpoint) return manifest.title;
  return manifest.name;
}
std::unexpected<Error> no_authority() {
  return fail(ErrorKind::forbidden, "This needs administrative authority.");
}

/// Which version of an endpoint the configuration activated the last time.
store::RecordKey activated_key(std::string_view endpoint) {
  store::RecordKey key;
  key.binding = "configuration";
  key.kind = "activated";
  key.key = endpoint;
  return key;
}
std::vector<store::RecordChange> remember_activated(std::string_view endpoint, bool activated,
                                                    std::string_view version) {
  store::RecordKey key = activated_key(endpoint);
  return {activated ? put_record(std::move(key), std::string(version))
                    : drop_record(std::move(key))};
}

/// Whose tools may be others now; null: nobody's.
const std::string* changed_endpoint(const store::Work& work) {
  if (const auto* made = std::get_if<store::RegisterVersion>(&work)) {
    return made->answer ? &made->endpoint : nullptr;
  }
  if (const auto* selected = std::get_if<store::Activate>(&work)) {
    return selected->answer ? &selected->endpoint : nullptr;
  }
  const auto* removed = std::get_if<store::Remove>(&work);
  return removed != nullptr && removed->answer ? &removed->endpoint : nullptr;
}

}  // namespace

Result<void> Gateway::load_directory() {
  std::string after;
  for (;;) {
    auto rows = store_.endpoints(after, kLoadAtOnce);
    if (!rows) return std::unexpected(std::move(rows.error()));
    if (rows->empty()) return {};
    after = rows->back().name;
    const std::lock_guard lock(mutex_);
    for (store::EndpointRow& row : *rows) {
      if (row.active.empty()) {
        directory_.deactivate(row.name);
        continue;
      }
      directory_.activate(row.name, std::move(row.title), row.agent);
      active_[std::move(row.name)] = std::move(row.active);
    }
  }
}

std::string Gateway::active_version(std::string_view endpoint) const {
  const std::lock_guard lock(mutex_);
  const auto found = active_.find(endpoint);
  return found == active_.end() ? std::string() : found->second;
}

awaitable<Gateway::FoundManifest> Gateway::manifest(std::string endpoint, std::string version) {
  if (auto cached = manifests_.find(endpoint, version)) co_return cached;
  auto load = [&] { return load_manifest(endpoint, version); };
  co_return co_await run_on<FoundManifest>(workers_.get_executor(), std::move(load));
}

/// On the worker pool: it compiles every schema of the manifest.
Gateway::FoundManifest Gateway::load_manifest(std::string_view endpoint, std::string_view version) {
  if (auto cached = manifests_.find(endpoint, version)) return cached;  // while this one waited
  const std::uint64_t generation = manifests_.generation();
  auto text = store_.manifest(endpoint, version);
  if (!text) return std::unexpected(std::move(text.error()));
  if (!*text) return unknown();
  auto read = catalog::read_manifest(**text, configuration_.manifest);
  if (!read) {  // registered under other limits: it stays what it was, but cannot be served
    return fail(ErrorKind::unavailable, "This version cannot be read under the present limits.");
  }
  manifests_.put(endpoint, *read, generation);
  return read;
}

/// For work that is about to start, from the committer's thread, which compiles nothing.
void Gateway::give_pinned(const tasks::Task& task, GivenManifest given) {
  const tasks::Admission& admission = *task.admission;
  if (auto cached = manifests_.find(admission.endpoint, admission.version)) {
    return given(std::move(cached));
  }
  boost::asio::post(workers_, [this, pinned = task.admission, given = std::move(given)]() mutable {
    auto loaded = load_manifest(pinned->endpoint, pinned->version);
    given(loaded ? *std::move(loaded) : nullptr);
  });
}

awaitable<Result<catalog::DirectoryPage>> Gateway::list(Principal who, catalog::PageRequest page) {
  co_return directory_.list(policy()->visibility_class(who), page);
}

awaitable<Result<catalog::DirectoryPage>> Gateway::search(Principal who, std::string words,
                                                          catalog::PageRequest page) {
  co_return directory_.search(policy()->visibility_class(who), words, page);
}

awaitable<Result<EndpointView>> Gateway::describe(Principal who, std::string endpoint,
                                                  std::string version) {
  // The decision is made on the name alone, in the same work whether the endpoint exists or not;
  // who may not see that name costs no look-up.
  const auto rules = policy();
  const bool visible = rules->may_see(who, endpoint);
  const std::string active = active_version(endpoint);
  const std::string wanted = version.empty() ? active : version;
  if (!visible || wanted.empty()) co_return unknown();
  auto found = co_await manifest(endpoint, wanted);
  if (!found) co_return std::unexpected(std::move(found.error()));
  EndpointView view;
  view.name = std::move(endpoint);
  view.manifest = *std::move(found);
  view.active = wanted == active;
  if (const auto runtime = dispatcher_.runtime(view.name)) {
    view.has_runtime = true;
    view.features = runtime->features();
    view.available = runtime->available();
    view.offers = runtime->offers();
  }
  if (const auto lane = dispatcher_.configuration(view.name)) {
    view.cold_start = lane->cold_start;
    view.durable = lane->durable;
  }
  co_return view;
}

Result<void> Gateway::invocable(const Principal& who, std::string_view endpoint) const {
  const bool allowed = policy()->may_invoke_any(who, endpoint);
  if (active_version(endpoint).empty() || !allowed) return unknown();
  return {};
}

awaitable<Result<std::shared_ptr<const catalog::Manifest>>> Gateway::read_manifest(
    std::string text) {
  using Read = Result<std::shared_ptr<const catalog::Manifest>>;
  auto read = [this, &text]() -> Read {
    return catalog::read_manifest(text, configuration_.manifest);
  };
  co_return co_await run_on<Read>(workers_.get_executor(), std::move(read));
}

// --- administration -----------------------------------------------------------------------------

/// The directory follows what was committed, on the committer's thread: in the order of the
/// commits.
void Gateway::follow_catalog(const store::Work& work, const ShownName& of_selected) {
  const auto set_active = [this](const std::string& endpoint, const std::string& version,
                                 const ShownName& shown) {
    directory_.activate(endpoint, shown.title, shown.agent);
    const std::lock_guard lock(mutex_);
    active_[endpoint] = version;
  };
  const auto clear_active = [this](const std::string& endpoint) {
    directory_.deactivate(endpoint);
    const std::lock_guard lock(mutex_);
    active_.erase(endpoint);
  };
  if (const auto* made = std::get_if<store::RegisterVersion>(&work)) {
    if (made->answer && made->activate) {
      set_active(made->endpoint, made->version, ShownName{made->title, made->agent});
    }
  } else if (const auto* selected = std::get_if<store::Activate>(&work)) {
    if (!selected->answer) return;
    if (selected->version.empty()) {
      clear_active(selected->endpoint);
    } else {
      set_active(selected->endpoint, selected->version, of_selected);
    }
  } else if (const auto* removed = std::get_if<store::Remove>(&work)) {
    if (!removed->answer) return;
    manifests_.forget(removed->endpoint, removed->version);
    if (removed->version.empty()) clear_active(removed->endpoint);
  }
  const std::string* endpoint = changed_endpoint(work);
  if (endpoint != nullptr) changes_->tell(EndpointChange{*endpoint, AgentChange()});
}

awaitable<Result<void>> Gateway::change_catalog(store::Work work, ShownName of_selected) {
  auto follow = [this, shown = std::move(of_selected)](const store::Work& done) {
    follow_catalog(done, shown);
  };
  auto done = co_await writer_->perform(std::move(work), Urgency::essential, std::move(follow));
  if (!done) co_return std::unexpected(std::move(done.error()));
  Result<void> answer;
  std::visit(
      [&answer](const auto& kind) {
        if constexpr (std::is_same_v<std::decay_t<decltype(kind.answer)>, Result<void>>) {
          answer = kind.answer;
        }
      },
      *done);
  co_return answer;
}

awaitable<Result<bool>> Gateway::register_configured(
    std::string endpoint, std::shared_ptr<const catalog::Manifest> manifest, bool activate,
    std::string loss_report, bool only_first) {
  auto last = store_.record(activated_key(endpoint));
  if (!last) co_return std::unexpected(std::move(last.error()));
  const bool again = *last && (only_first || (*last)->bytes == manifest->version);
  store::RegisterVersion change;
  change.endpoint = endpoint;
  change.version = manifest->version;
  change.hash = manifest->hash;
  change.manifest = manifest->text;
  change.title = shown_title(endpoint, *manifest);
  change.agent = manifest->name;
  change.loss_report = std::move(loss_report);
  change.activate = activate && !again;
  change.origin = "configuration";
  store::Work work = std::move(change);
  Result<void> done = co_await change_catalog(std::move(work));
  // In a commit of its own: after a crash between the two it is only activated once more.
  const bool changed = activate ? !again : last->has_value();
  if (done && changed) {
    done = co_await change_records(remember_activated(endpoint, activate, manifest->version));
  }
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return active_version(endpoint) == manifest->version;
}

awaitable<Result<void>> Gateway::deactivate_configured(std::string endpoint) {
  Result<void> forgotten =
      co_await change_records(remember_activated(endpoint, false, std::string_view()));
  if (!forgotten) co_return forgotten;
  store::Activate change;
  change.endpoint = std::move(endpoint);
  store::Work work = std::move(change);
  auto done = co_await change_catalog(std::move(work));
  // One that never had a version is not listed either.
  if (!done && done.error().kind == ErrorKind::not_found) co_return Result<void>();
  co_return done;
}

awaitable<Result<void>> Gateway::register_version(
    Principal who, std::string endpoint, std::shared_ptr<const catalog::Manifest> manifest) {
  const auto rules = policy();
  const bool self = !rules->is_admin(who) && rules->is_local(who);
  const bool may = self ? rules->may_self_register(who, manifest->jid)
                        : rules->may_administer(who, "register", endpoint);
  if (!may) co_return no_authority();
  store::RegisterVersion change;
  change.endpoint = std::move(endpoint);
  change.version = manifest->version;
  change.hash = manifest->hash;
  change.manifest = manifest->text;
  change.title = shown_title(change.endpoint, *manifest);
  change.agent = manifest->name;
  change.origin = who.text();
  store::Work work = std::move(change);
  co_return co_await change_catalog(std::move(work));
}

awaitable<Result<void>> Gateway::activate(Principal who, std::string endpoint, std::string version,
                                          std::optional<Digest> hash) {
  if (!policy()->may_administer(who, "activate", endpoint)) co_return no_authority();
  ShownName shown;  // a version never changes
  if (const auto selected = co_await manifest(endpoint, version)) {
    shown.title = shown_title(endpoint, **selected);
    shown.agent = (*selected)->name;
  }
  store::Activate change;
  change.endpoint = std::move(endpoint);
  change.version = std::move(version);
  change.hash = hash;
  store::Work work = std::move(change);
  co_return co_await change_catalog(std::move(work), std::move(shown));
}

awaitable<Result<void>> Gateway::deactivate(Principal who, std::string endpoint) {
  if (!policy()->may_administer(who, "deactivate", endpoint)) co_return no_authority();
  store::Activate change;
  change.endpoint = std::move(endpoint);
  store::Work work = std::move(change);
  co_return co_await change_catalog(std::move(work));
}

awaitable<Result<std::vector<store::VersionRow>>> Gateway::status(Principal who,
                                                                  std::string endpoint) {
  if (!policy()->may_administer(who, "status", endpoint)) co_return no_authority();
  auto rows = store_.versions(endpoint);
  if (rows && rows->empty()) co_return unknown();
  co_return rows;
}

awaitable<Result<void>> Gateway::remove(Principal who, std::string endpoint, std::string version) {
  if (!policy()->may_administer(who, "remove", endpoint)) co_return no_authority();
  if (dispatcher_.runtime(endpoint) && version.empty()) {
    co_return fail(ErrorKind::conflict, "This endpoint belongs to the gateway's configuration.");
  }
  store::Remove change;
  change.endpoint = std::move(endpoint);
  change.version = std::move(version);
  store::Work work = std::move(change);
  co_return co_await change_catalog(std::move(work));
}

awaitable<Result<std::vector<store::EndpointRow>>> Gateway::registered(Principal who,
                                                                       std::string after,
                                                                       std::size_t limit) {
  if (!policy()->may_administer(who, "list", std::string_view())) co_return no_authority();
  std::vector<store::EndpointRow> found;
  while (found.size() < limit) {
    auto rows = store_.endpoints(after, limit - found.size());
    if (!rows) co_return std::unexpected(std::move(rows.error()));
    if (rows->empty()) break;
    after = rows->back().name;
    for (store::EndpointRow& row : *rows) {
      // One that was removed is kept as a tombstone: without a version.
      if (row.active.empty()) {
        const auto versions = store_.versions(row.name);
        if (!versions) co_return std::unexpected(versions.error());
        if (versions->empty()) continue;
      }
      found.push_back(std::move(row));
    }
  }
  co_return found;
}

awaitable<Result<std::string>> Gateway::loss_report(Principal who, std::string endpoint,
                                                    std::string version) {
  if (!policy()->may_administer(who, "losses", endpoint)) co_return no_authority();
  co_return store_.loss_report(endpoint, version);
}

}  // namespace interline::engine

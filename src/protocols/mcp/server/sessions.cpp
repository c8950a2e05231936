#include "protocols/mcp/server/sessions.hpp"

#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/id.hpp"
#include "protocols/mcp/server/opening.hpp"

namespace interline::protocols::mcp::server {
namespace {

constexpr std::size_t kIdBytes = 24;
/// A record is written anew when so much of its life is gone.
constexpr auto kRenewAfter = Session::kLife / 8;

}  // namespace

awaitable<Result<void>> Sessions::keep(const Session& session) {
  std::vector<engine::RecordChange> changes;
  changes.push_back(
      keep_session(session.id(), session.record(), core_.clock.now() + Session::kLife));
  co_return co_await core_.engine.change_records(std::move(changes));
}

awaitable<std::expected<Sessions::Opened, ErrorAnswer>> Sessions::open(Principal who,
                                                                       std::string endpoint,
                                                                       LegacyExchange opening,
                                                                       Features features) {
  auto agreed = agree(opening, who, std::move(endpoint));
  if (!agreed) co_return refuse(std::move(agreed.error()));
  const Result<void> charged = core_.engine.charge(who, policy::RateClass::metadata);
  if (!charged) co_return refuse(charged.error());
  auto session = std::make_shared<Session>(core_, random_token(kIdBytes), *std::move(agreed),
                                           boost::asio::make_strand(executor_));
  const Result<void> kept = co_await keep(*session);
  if (!kept) co_return refuse(kept.error());
  Opened opened;
  opened.session = insert(std::move(session));
  co_await boost::asio::co_spawn(opened.session->executor(), opened.session->begin(features),
                                 boost::asio::use_awaitable);
  opened.result = opened_result(core_, opening.revision, features);
  co_return opened;
}

std::shared_ptr<Session> Sessions::insert(std::shared_ptr<Session> session) {
  std::shared_ptr<Session> gone;  // ends outside of the lock
  const std::lock_guard lock(mutex_);
  const SystemTime now = core_.clock.now();
  Entry entry;
  entry.session = session;
  entry.kept = now;
  entry.used = now;
  const auto [at, fresh] = sessions_.emplace(session->id(), std::move(entry));
  if (sessions_.size() <= most_) return at->second.session;
  auto oldest = sessions_.end();
  for (auto other = sessions_.begin(); other != sessions_.end(); ++other) {
    if (other == at || other->second.session->busy()) continue;
    if (oldest == sessions_.end() || other->second.used < oldest->second.used) oldest = other;
  }
  if (oldest != sessions_.end()) {
    gone = std::move(oldest->second.session);
    sessions_.erase(oldest);
  }
  return at->second.session;
}

std::shared_ptr<Session> Sessions::use(const std::string& id, const Principal& who,
                                       const std::string& endpoint, bool& renew) {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(id);
  if (found == sessions_.end()) return nullptr;
  Entry& entry = found->second;
  if (entry.session->who() != who || entry.session->endpoint() != endpoint) return nullptr;
  entry.used = core_.clock.now();
  renew = entry.used - entry.kept > kRenewAfter;
  if (renew) entry.kept = entry.used;
  return entry.session;
}

awaitable<std::shared_ptr<Session>> Sessions::find(std::string id, Principal who,
                                                   std::string endpoint, Features features) {
  bool renew = false;
  if (auto session = use(id, who, endpoint, renew)) {
    if (renew) {
      const Result<void> kept = co_await keep(*session);
      if (!kept) core_.log.warning("a session could not be kept", {{"error", kept.error()}});
    }
    co_return session;
  }
  constexpr std::size_t kLongest = 128;
  if (id.empty() || id.size() > kLongest) co_return nullptr;
  const auto record = co_await core_.engine.record(session_key(id));
  if (!record || !*record) co_return nullptr;
  if ((*record)->expires && *(*record)->expires <= core_.clock.now()) co_return nullptr;
  auto agreed = read_session(**record);
  if (!agreed || agreed->who != who || agreed->endpoint != endpoint) co_return nullptr;
  auto made = std::make_shared<Session>(core_, std::move(id), *std::move(agreed),
                                        boost::asio::make_strand(executor_));
  auto session = insert(made);
  if (session == made) {
    co_await boost::asio::co_spawn(session->executor(), session->begin(features),
                                   boost::asio::use_awaitable);
  }
  co_return session;
}

awaitable<void> Sessions::end(std::shared_ptr<Session> session) {
  {
    const std::lock_guard lock(mutex_);
    sessions_.erase(session->id());
  }
  session->end();
  std::vector<engine::RecordChange> changes;
  changes.push_back(drop_session(session->id()));
  const Result<void> dropped = co_await core_.engine.change_records(std::move(changes));
  if (!dropped) core_.log.warning("a session's record stays", {{"error", dropped.error()}});
}

void Sessions::end_streams() {
  std::vector<std::shared_ptr<Session>> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, entry] : sessions_) all.push_back(entry.session);
  }
  for (const auto& session : all) session->general()->finish(std::string());
}

}  // namespace interline::protocols::mcp::server

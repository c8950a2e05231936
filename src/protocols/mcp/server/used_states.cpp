#include "protocols/mcp/server/used_states.hpp"

#include <utility>

#include "base/bytes.hpp"
#include "engine/length_prefixed.hpp"
#include "engine/record_change.hpp"
#include "json/canonical.hpp"

namespace interline::protocols::mcp::server {
namespace {

engine::RecordKey key_of(std::string_view token) {
  engine::RecordKey key;
  key.binding = "mcp";
  key.kind = "used-state";
  key.key = token;
  return key;
}

}  // namespace

Digest use_of(const Asked& asked, const std::vector<tasks::Answer>& answers) {
  std::string bytes;
  engine::append_length_prefixed(bytes, asked.meta.request_key);
  for (const tasks::Answer& answer : answers) {
    engine::append_length_prefixed(bytes, answer.key);
    engine::append_length_prefixed(bytes, tasks::to_string(answer.action));
    engine::append_length_prefixed(bytes, answer.value);
  }
  return sha256(bytes);
}

Digest use_of(const Asked& asked, const json::Value& answers) {
  std::string bytes;
  engine::append_length_prefixed(bytes, asked.meta.request_key);
  engine::append_length_prefixed(bytes, json::canonical(answers));
  return sha256(bytes);
}

engine::RecordChange first_use(const Core& core, const Asked& asked, std::string_view token,
                               const Digest& use) {
  engine::RecordChange change = engine::put_record(key_of(token), to_hex(use));
  change.record.owner = asked.who.text();
  // Asking again gives another state for the same token, each time with a life of its own.
  const auto longest = core.settings.state_life * (core.settings.max_rounds + 1);
  change.record.expires = core.clock.now() + longest;
  change.expect = engine::Expect::absent;
  return change;
}

awaitable<Result<bool>> was_used(Core& core, std::string token, Digest use) {
  const auto record = co_await core.engine.record(key_of(token));
  if (!record) co_return std::unexpected(record.error());
  if (!*record) co_return false;
  if ((*record)->bytes == to_hex(use)) co_return true;
  co_return fail(ErrorKind::conflict, ErrorReason::different_request,
                 "This requestState was used with other answers.");
}

awaitable<Result<void>> use_state(Core& core, const Asked& asked, std::string token, Digest use) {
  std::vector<engine::RecordChange> changes;
  changes.push_back(first_use(core, asked, token, use));
  const Result<void> written = co_await core.engine.change_records(std::move(changes));
  if (written || written.error().kind != ErrorKind::conflict) co_return written;
  const auto same = co_await was_used(core, std::move(token), use);
  if (!same) co_return std::unexpected(same.error());
  if (*same) co_return Result<void>();
  co_return written;  // the record ended in between
}

}  // namespace interline::protocols::mcp::server

#include "engine/keys.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

#include "base/constant_time.hpp"
#include "base/id.hpp"
#include "base/sha256.hpp"
#include "engine/record_change.hpp"

namespace interline::engine {
namespace {

// Two records a key: by its name, with id and time; by its id, with hash and name. Presenting a
// secret reads the second alone, whether it is there or not.
constexpr std::string_view kByName = "name";
constexpr std::string_view kById = "id";

// "il_ID.SECRET"
constexpr std::string_view kPrefix = "il_";
constexpr std::size_t kIdBytes = 12;
constexpr std::size_t kSecretBytes = 32;
constexpr std::size_t kLongestKey = 128;

std::unexpected<Error> no_authority() {
  return fail(ErrorKind::forbidden,
              "Keys are made, listed and revoked by operators: root, and the "
              "user that the gateway runs as.");
}
std::unexpected<Error> no_key() {
  return fail(ErrorKind::forbidden, "This is no key of this gateway.");
}

std::string_view as_text(const Digest& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

RecordKey record_key(std::string_view kind, std::string_view key) {
  RecordKey made;
  made.binding = kKeysBinding;
  made.kind = kind;
  made.key = key;
  return made;
}

RecordChange put(std::string_view kind, std::string_view key, const Principal& owner,
                 std::string bytes) {
  RecordChange change = put_record(record_key(kind, key), std::move(bytes));
  change.record.owner = owner.text();
  change.expect = Expect::absent;
  return change;
}

RecordChange drop(std::string_view kind, std::string_view key) {
  RecordChange change = drop_record(record_key(kind, key));
  change.expect = Expect::present;
  return change;
}

/// Of a record by name: "ID NANOSECONDS".
struct ByName {
  std::string_view id;
  SystemTime created{};
};
std::optional<ByName> read_by_name(std::string_view bytes) {
  const auto space = bytes.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  std::int64_t count = 0;
  const char* const end = bytes.data() + bytes.size();
  if (std::from_chars(bytes.data() + space + 1, end, count).ec != std::errc()) return std::nullopt;
  return ByName{bytes.substr(0, space), SystemTime(std::chrono::nanoseconds(count))};
}

}  // namespace

bool is_key_name(std::string_view name) {
  const auto alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= 64 && alphanumeric(name.front()) &&
         std::ranges::all_of(name, [&alphanumeric](char c) {
           return alphanumeric(c) || c == '.' || c == '_' || c == '-';
         });
}

awaitable<Result<Secret>> create_key(Engine& engine, Principal who, std::string name,
                                     SystemTime now) {
  if (!engine.policy()->may_operate(who, "create_key")) co_return no_authority();
  if (!is_key_name(name)) {
    co_return fail(ErrorKind::malformed,
                   "A key's name is of letters, digits and . _ - behind the first, at most 64.");
  }
  const std::string id = random_token(kIdBytes);
  std::string text(kPrefix);
  text.append(id).append(".").append(random_token(kSecretBytes));
  const Secret secret(text);
  std::ranges::fill(text, '\0');
  const Digest digest = sha256(secret.reveal());

  std::vector<RecordChange> changes;
  changes.push_back(
      put(kByName, name, who, id + ' ' + std::to_string(now.time_since_epoch().count())));
  changes.push_back(put(kById, id, who, std::string(as_text(digest)) + name));
  auto done = co_await engine.change_records(std::move(changes));
  if (!done && done.error().kind == ErrorKind::conflict) {
    co_return fail(ErrorKind::conflict, "There is a key of this name; revoke it first.");
  }
  if (!done) co_return std::unexpected(std::move(done.error()));
  co_return secret;
}

awaitable<Result<std::vector<KeyRow>>> list_keys(Engine& engine, Principal who, std::string after,
                                                 std::size_t limit) {
  if (!engine.policy()->may_operate(who, "list_keys")) co_return no_authority();
  auto records = co_await engine.records(std::string(kKeysBinding), std::string(kByName),
                                         std::move(after), limit);
  if (!records) co_return std::unexpected(std::move(records.error()));
  std::vector<KeyRow> rows;
  for (Record& record : *records) {
    const auto read = read_by_name(record.bytes);
    if (!read) co_return fail(ErrorKind::internal, "A stored key cannot be read.");
    rows.push_back(KeyRow{std::move(record.key), std::move(record.owner), read->created});
  }
  co_return rows;
}

awaitable<Result<void>> revoke_key(Engine& engine, Principal who, std::string name) {
  if (!engine.policy()->may_operate(who, "revoke_key")) co_return no_authority();
  RecordKey wanted = record_key(kByName, name);
  auto record = co_await engine.record(std::move(wanted));
  if (!record) co_return std::unexpected(std::move(record.error()));
  const auto read = *record ? read_by_name((*record)->bytes) : std::nullopt;
  if (!read) co_return fail(ErrorKind::not_found, "There is no key of this name.");
  std::vector<RecordChange> changes;
  changes.push_back(drop(kByName, name));
  changes.push_back(drop(kById, read->id));
  auto done = co_await engine.change_records(std::move(changes));
  if (!done && done.error().kind == ErrorKind::conflict) {  // somebody was faster
    co_return fail(ErrorKind::not_found, "There is no key of this name.");
  }
  co_return done;
}

awaitable<Result<Principal>> principal_of_key(Engine& engine, Secret presented) {
  const std::string_view text = presented.reveal();
  const auto dot = text.find('.');
  if (text.size() > kLongestKey || !text.starts_with(kPrefix) || dot == std::string_view::npos) {
    co_return no_key();
  }
  const std::string id(text.substr(kPrefix.size(), dot - kPrefix.size()));
  RecordKey wanted = record_key(kById, id);
  auto record = co_await engine.record(std::move(wanted));
  if (!record) co_return std::unexpected(std::move(record.error()));
  const Digest digest = sha256(text);
  const std::string_view stored = *record ? std::string_view((*record)->bytes) : std::string_view();
  if (!equal_constant_time(as_text(digest), stored.substr(0, digest.size())) ||
      stored.size() <= digest.size()) {
    co_return no_key();
  }
  co_return Principal::of("key", stored.substr(digest.size()));
}

}  // namespace interline::engine

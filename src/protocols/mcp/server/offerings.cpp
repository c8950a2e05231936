#include "protocols/mcp/server/offerings.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "base/bytes.hpp"
#include "base/sha256.hpp"
#include "engine/length_prefixed.hpp"
#include "protocols/mcp/cursors.hpp"
#include "protocols/mcp/params.hpp"

namespace interline::protocols::mcp::server {
namespace {

using engine::ConsultationKind;

/// All that is asked at once, on one strand: that of the request.
struct Asking {
  Asking(const boost::asio::any_io_executor& executor, std::size_t count)
      : said(count),
        waiting(count),
        timer(executor, boost::asio::steady_timer::time_point::max()) {}

  std::vector<std::optional<Result<engine::Consulted>>> said;
  std::size_t waiting;
  boost::asio::steady_timer timer;  ///< cancelled when the last one has answered
  const std::shared_ptr<engine::Withdrawal> withdrawal = std::make_shared<engine::Withdrawal>();
};

awaitable<void> ask_one(Core& core, Principal who, std::string endpoint,
                        engine::Consultation consultation, std::shared_ptr<Asking> asking,
                        std::size_t place) {
  const auto begun = std::chrono::steady_clock::now();
  auto said = co_await core.engine.consult(std::move(who), endpoint, std::move(consultation),
                                           asking->withdrawal);
  if (said) {
    core.silence.has_answered(endpoint);
  } else if (const auto now = std::chrono::steady_clock::now(); now - begun > Silence::kLong) {
    core.silence.was_silent(endpoint, now);
  }
  asking->said[place] = std::move(said);
  if (--asking->waiting == 0) asking->timer.cancel();
}

/// Those that have something of the kind.
awaitable<Result<std::vector<std::string>>> who_offers(Core& core, const Asked& asked,
                                                       ConsultationKind kind) {
  auto endpoints = co_await viewed_endpoints(core, asked);
  if (!endpoints) co_return endpoints;
  std::vector<std::string> able;
  for (std::string& endpoint : *endpoints) {
    const auto view = co_await core.engine.describe(asked.who, endpoint, std::string());
    if (view && view->offers.has(kind)) able.push_back(std::move(endpoint));
  }
  co_return able;
}

std::optional<json::Document> read_list(std::string text) {
  const json::Limits limits = jsonrpc::limits_for(text.size());
  auto parsed = json::parse(std::move(text), limits, json::Numbers::faithful);
  if (!parsed || !parsed->root().is_array()) return std::nullopt;
  return *std::move(parsed);
}

std::string version_of(const std::vector<std::string>& entries) {
  std::string all;
  for (const std::string& entry : entries) engine::append_length_prefixed(all, entry);
  return to_hex(sha256(all));
}

}  // namespace

awaitable<Result<std::vector<Offering>>> offerings(Core& core, const Asked& asked,
                                                   ConsultationKind kind) {
  const auto able = co_await who_offers(core, asked, kind);
  if (!able) co_return std::unexpected(able.error());
  const auto executor = co_await boost::asio::this_coro::executor;
  const auto asking = std::make_shared<Asking>(executor, able->size());
  const WhileReading reading(*asked.sink, [asking] { asking->withdrawal->withdraw(); });
  const auto patience_with = [&core, &asked](const std::string& endpoint) {
    const bool alone = !asked.endpoint.empty();
    const bool silent =
        !alone && core.silence.is_silent(endpoint, std::chrono::steady_clock::now());
    return silent ? std::min(core.settings.list_timeout, Silence::kGlance)
                  : core.settings.list_timeout;
  };
  for (std::size_t i = 0; i < able->size(); ++i) {
    engine::Consultation consultation;
    consultation.kind = kind;
    consultation.timeout = patience_with((*able)[i]);
    boost::asio::co_spawn(executor,
                          ask_one(core, asked.who, (*able)[i], std::move(consultation), asking, i),
                          boost::asio::detached);
  }
  // Each ends within its own timeout.
  while (asking->waiting > 0) {
    co_await asking->timer.async_wait(boost::asio::as_tuple(boost::asio::use_awaitable));
  }
  std::vector<Offering> all;
  for (std::size_t i = 0; i < able->size(); ++i) {
    Result<engine::Consulted>& said = *asking->said[i];
    if (!said) {
      if (!asked.endpoint.empty()) co_return std::unexpected(std::move(said.error()));
      core.log.warning("an agent does not list what it has: the others' is shown without it",
                       {{"endpoint", (*able)[i]}, {"error", said.error()}});
      continue;
    }
    if (auto list = read_list(std::move(said->result))) {
      all.emplace_back((*able)[i], *std::move(list));
    }
  }
  co_return all;
}

namespace {

/// By comparing with what the endpoint's agent lists.
awaitable<std::optional<ToolRef>> find_marked_prompt(Core& core, const Asked& asked,
                                                     std::string endpoint, std::string name) {
  Asked narrowed = asked;
  narrowed.endpoint = std::move(endpoint);
  const auto all = co_await offerings(core, narrowed, ConsultationKind::list_prompts);
  if (!all) co_return std::nullopt;
  for (const Offering& offering : *all) {
    for (const json::Value& prompt : offering.list.root().items()) {
      ToolRef there{offering.endpoint, std::string(text_member(prompt, "name"))};
      if (tool_name(there) == name) co_return there;
    }
  }
  co_return std::nullopt;
}

}  // namespace

awaitable<std::optional<ToolRef>> find_prompt(Core& core, const Asked& asked, std::string name) {
  if (!asked.endpoint.empty()) co_return ToolRef{asked.endpoint, std::move(name)};
  if (name.size() > kMaxToolName) co_return std::nullopt;
  auto ref = read_tool_name(name);
  if (!is_marked(name)) {
    if (ref && tool_name(*ref) != name) ref.reset();
    co_return ref;
  }
  // Only their agents know what the digits stand for.
  std::vector<std::string> endpoints;
  if (ref) endpoints.push_back(ref->endpoint);
  const auto viewed = co_await viewed_endpoints(core, asked);
  for (const std::string& endpoint : viewed ? *viewed : std::vector<std::string>()) {
    if (!is_readable_endpoint(endpoint)) endpoints.push_back(endpoint);
  }
  for (const std::string& endpoint : endpoints) {
    auto found = co_await find_marked_prompt(core, asked, endpoint, name);
    if (found) co_return found;
  }
  co_return std::nullopt;
}

Answer paged(Core& core, const Asked& asked, std::string_view member,
             std::vector<std::string> entries) {
  const auto params = read_list_params(asked.message.params);
  if (!params) return bad_params(params.error());
  const CursorScope scope{asked.who.text(), asked.endpoint, asked.message.method};
  const std::string version = version_of(entries);
  std::size_t first = 0;
  if (params->cursor) {
    const auto position = read_cursor(core.sealer, scope, *params->cursor, core.clock.now());
    if (!position) return bad_params(position.error());
    const char* const end = position->after.data() + position->after.size();
    const auto read = std::from_chars(position->after.data(), end, first);
    if (position->list_version != version || read.ptr != end || first > entries.size()) {
      return refuse(invalid_params("The list has changed: begin again."));
    }
  }
  const std::size_t count = std::min(core.settings.page, entries.size() - first);
  const std::span<const std::string> page = std::span(entries).subspan(first, count);
  std::optional<std::string> next;
  if (first + count < entries.size()) {
    const CursorPosition position{std::to_string(first + count), version};
    next = write_cursor(core.sealer, scope, position, core.clock.now());
  }
  return list_result(core.envelope(asked), member, page, next, core.settings.lists);
}

std::string_view text_member(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string_view() : value->get_string().value_or("");
}

}  // namespace interline::protocols::mcp::server

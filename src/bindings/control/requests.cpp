#include "bindings/control/requests.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/base64.hpp"
#include "base/id.hpp"
#include "bindings/control/members.hpp"
#include "engine/length_prefixed.hpp"
#include "json/parse.hpp"
#include "schema/bounded_text.hpp"

namespace interline::control {
namespace {

constexpr std::size_t kMostAnswers = 64;
constexpr std::size_t kLongestReason = 4'096;
constexpr std::size_t kLongestKey = 256;
constexpr std::size_t kLongestWord = 40;  // that is shown again
// The first bytes of this binding's fingerprints and the scope of its request keys: never changed.
constexpr std::string_view kReplayLabel = "control:1";

Result<json::Document> parse_body(std::string_view body, std::size_t depth) {
  json::Limits limits;
  limits.bytes = std::max<std::size_t>(body.size(), 1);  // the route has bounded it
  limits.string_bytes = limits.bytes;
  limits.depth = depth;
  auto parsed = json::parse_borrowed(body, limits);
  if (!parsed) return std::unexpected(json::to_error(parsed.error()));
  return *std::move(parsed);
}

template <class Number>
std::optional<Number> read_number(std::string_view text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

std::optional<tasks::AnswerAction> action_named(std::string_view word) {
  for (const auto action :
       {tasks::AnswerAction::accept, tasks::AnswerAction::decline, tasks::AnswerAction::cancel}) {
    if (tasks::to_string(action) == word) return action;
  }
  return std::nullopt;
}

void read_answerable(Members& members, tasks::QuestionKinds& kinds) {
  std::optional<std::vector<std::string>> words;
  members.texts("answerable", words, tasks::kQuestionKindCount);
  if (!words) return;
  kinds = 0;
  for (const std::string& word : *words) {
    const auto kind = tasks::question_kind_named(word);
    if (!kind) return members.mistake("answerable", "names form, url, credential, sampling, roots");
    kinds = static_cast<tasks::QuestionKinds>(kinds | tasks::bit(*kind));
  }
}

/// LP(tool) LP(version) LP(deadline) LP(context): what the same request key must come with again,
/// the arguments apart, which the engine appends.
std::string fingerprint_head(const engine::Invocation& invocation) {
  std::string head(kReplayLabel);
  engine::append_length_prefixed(head, invocation.tool);
  engine::append_length_prefixed(head, invocation.version);
  engine::append_length_prefixed(head, invocation.deadline ? invocation.deadline->canonical() : "");
  engine::append_length_prefixed(head, invocation.context);
  return head;
}

engine::Input::Part read_part(const json::Value& item, Members& whole) {
  engine::Input::Part part;
  Members members(item);
  members.required_text("question", part.question);
  std::string action = "accept";
  members.text("action", action);
  std::optional<std::string> value;
  members.json("value", value);
  part.action = action_named(action).value_or(tasks::AnswerAction::accept);
  const bool known = action_named(action).has_value();
  const bool fits = value.has_value() == (part.action == tasks::AnswerAction::accept);
  if (!members.finish() || !known || !fits) {
    whole.mistake("answers",
                  "has elements of the form {\"question\":ID,\"value\":V} or "
                  "{\"question\":ID,\"action\":\"decline\" or \"cancel\"}");
  }
  part.value = std::move(value).value_or("");
  return part;
}

Error unknown_state(std::string_view word) {
  std::string message("There is no state \"");
  message.append(schema::printable(schema::bounded(word, kLongestWord))).append("\"; there are ");
  for (std::size_t i = 0; i < tasks::kStateCount; ++i) {
    const bool last = i + 1 == tasks::kStateCount;
    message.append(i == 0 ? "" : last ? " and " : ", ");
    message.append(tasks::to_string(static_cast<tasks::State>(i)));
  }
  return {ErrorKind::malformed, message.append(".")};
}

}  // namespace

Result<engine::Invocation> read_call(std::string_view body, const Limits& limits) {
  // The arguments are one level down.
  const auto parsed = parse_body(body, limits.json_depth + 1);
  if (!parsed) return std::unexpected(parsed.error());
  engine::Invocation invocation;
  Members members(parsed->root());
  members.required_text("endpoint", invocation.endpoint);
  members.required_text("tool", invocation.tool);
  std::optional<std::string> arguments;
  members.json("arguments", arguments);
  members.text("version", invocation.version);
  members.text("context", invocation.context, kLongestKey);
  std::optional<std::string> key;
  members.text("requestKey", key, kLongestKey);
  if (key && key->empty()) members.mistake("requestKey", "is not empty");
  members.instant("deadline", invocation.deadline);
  invocation.answerable = static_cast<tasks::QuestionKinds>(tasks::bit(tasks::QuestionKind::form) |
                                                            tasks::bit(tasks::QuestionKind::url));
  read_answerable(members, invocation.answerable);
  if (auto read = members.finish(); !read) return std::unexpected(std::move(read.error()));
  if (arguments && arguments->size() > limits.arguments_bytes) {
    return fail(ErrorKind::resource_constraint, ErrorReason::too_large,
                "The arguments have " + std::to_string(arguments->size()) +
                    " bytes; [limits] arguments_bytes allows " +
                    std::to_string(limits.arguments_bytes) + ".");
  }
  invocation.arguments = std::move(arguments).value_or("{}");
  invocation.request_key = std::move(key).value_or("");
  invocation.network = kNetwork;
  invocation.replay_label = kReplayLabel;
  invocation.fingerprint_head = fingerprint_head(invocation);
  return invocation;
}

Result<AnswerRequest> read_answer(std::string_view body, const Limits& limits) {
  const auto parsed = parse_body(body, limits.json_depth + 3);
  if (!parsed) return std::unexpected(parsed.error());
  AnswerRequest answer;
  Members members(parsed->root());
  members.text("request", answer.input.request);
  members.integer("expectedRevision", answer.input.expected);
  members.json("value", answer.input.value);
  std::optional<std::string> action;
  members.text("action", action, kLongestKey);
  if (action) {
    answer.all = action_named(*action);
    if (!answer.all || *answer.all == tasks::AnswerAction::accept) {
      members.mistake("action", "is \"decline\" or \"cancel\"; an answer is given as \"value\"");
    }
  }
  const json::Value* const parts = members.objects("answers", kMostAnswers);
  if (parts != nullptr) {
    for (const json::Value& item : parts->items()) {
      answer.input.parts.push_back(read_part(item, members));
    }
  }
  const int forms = (answer.input.value ? 1 : 0) + (action ? 1 : 0) + (parts != nullptr ? 1 : 0);
  if (forms != 1) members.mistake("value", "or \"action\" or \"answers\" is given, one of them");
  if (auto read = members.finish(); !read) return std::unexpected(std::move(read.error()));
  return answer;
}

Result<engine::Cancellation> read_cancel(std::string_view body) {
  engine::Cancellation cancellation;
  if (body.empty()) return cancellation;
  const auto parsed = parse_body(body, 4);
  if (!parsed) return std::unexpected(parsed.error());
  Members members(parsed->root());
  members.text("reason", cancellation.reason, kLongestReason);
  members.integer("expectedRevision", cancellation.expected);
  if (auto read = members.finish(); !read) return std::unexpected(std::move(read.error()));
  return cancellation;
}

Result<ActivateRequest> read_activate(std::string_view body) {
  const auto parsed = parse_body(body, 4);
  if (!parsed) return std::unexpected(parsed.error());
  ActivateRequest activate;
  Members members(parsed->root());
  members.required_text("version", activate.version);
  std::optional<std::string> hash;
  members.text("hash", hash, kLongestKey);
  if (hash) {
    const auto bytes = decode_base64(*hash);
    if (bytes && bytes->size() == Digest().size()) {
      activate.hash.emplace();
      std::ranges::transform(*bytes, activate.hash->begin(),
                             [](char c) { return static_cast<std::uint8_t>(c); });
    } else {
      members.mistake("hash", "is a SHA-256 in Base64");
    }
  }
  if (auto read = members.finish(); !read) return std::unexpected(std::move(read.error()));
  return activate;
}

Result<std::string> read_key_name(std::string_view body) {
  const auto parsed = parse_body(body, 4);
  if (!parsed) return std::unexpected(parsed.error());
  std::string name;
  Members members(parsed->root());
  members.required_text("name", name);
  if (auto read = members.finish(); !read) return std::unexpected(std::move(read.error()));
  return name;
}

Result<void> read_nothing(std::string_view body) {
  if (body.empty()) return {};
  const auto parsed = parse_body(body, 4);
  if (!parsed) return std::unexpected(parsed.error());
  return Members(parsed->root()).finish();
}

Result<std::size_t> read_limit(const net::http::Request& request, const Limits& limits) {
  const auto text = request.query_value("limit");
  if (!text) return limits.page_default;
  const auto read = read_number<std::size_t>(*text);
  if (!read || *read == 0) return fail(ErrorKind::malformed, "limit is a whole number from 1.");
  return std::min(*read, limits.page_max);
}

std::string cursor_of(const tasks::Task& task) {
  return std::to_string(task.updated.time_since_epoch().count()) + '.' + task.id();
}

Result<engine::TaskQuery> read_task_query(const net::http::Request& request, const Limits& limits) {
  engine::TaskQuery query;
  const auto limit = read_limit(request, limits);
  if (!limit) return std::unexpected(limit.error());
  query.limit = *limit;
  if (const auto context = request.query_value("context")) query.context = std::string(*context);
  if (auto states = request.query_value("state")) {
    while (!states->empty()) {
      const auto comma = std::min(states->find(','), states->size());
      const auto state = tasks::state_named(states->substr(0, comma));
      if (!state) return std::unexpected(unknown_state(states->substr(0, comma)));
      query.states.push_back(*state);
      states->remove_prefix(std::min(comma + 1, states->size()));
    }
    if (query.states.size() > tasks::kStateCount) {
      return fail(ErrorKind::malformed, "state names each state once.");
    }
  }
  if (const auto since = request.query_value("since")) {
    const auto instant = Instant::parse_rfc3339(*since);
    if (!instant) return fail(ErrorKind::malformed, "since is a time as RFC 3339 writes it.");
    query.updated_since = instant->ceil();
  }
  if (const auto after = request.query_value("after")) {
    const auto dot = std::min(after->find('.'), after->size());
    const auto time = read_number<std::int64_t>(after->substr(0, dot));
    const std::string_view id = after->substr(std::min(dot + 1, after->size()));
    if (!time || !is_own_id(id)) {
      return fail(ErrorKind::malformed, "after is the \"next\" of the page before.");
    }
    query.after_time = SystemTime(std::chrono::nanoseconds(*time));
    query.after_id = std::string(id);
  }
  return query;
}

}  // namespace interline::control

#include "runtimes/mcp/consulting.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "base/utf8.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"
#include "protocols/mcp/capabilities.hpp"
#include "protocols/mcp/client_questions.hpp"
#include "protocols/mcp/errors.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace jsonrpc = protocols::jsonrpc;
namespace words = protocols::mcp;
using engine::Consultation;
using engine::ConsultationKind;
using engine::Consulted;

constexpr std::size_t kLongestReason = 1'000;
/// Of calls that are to be made again without a question.
constexpr unsigned kRounds = 10;

struct KindRow {
  ConsultationKind kind;
  std::string_view method;
  std::string_view list;     ///< member of a list's result
  std::string_view subject;  ///< member of the params that names it
  bool words::Features::*feature;
};
constexpr KindRow kKinds[] = {
    {ConsultationKind::list_prompts, words::method::kPromptsList, "prompts", "",
     &words::Features::prompts},
    {ConsultationKind::list_resources, words::method::kResourcesList, "resources", "",
     &words::Features::resources},
    {ConsultationKind::list_resource_templates, words::method::kTemplatesList, "resourceTemplates",
     "", &words::Features::resources},
    {ConsultationKind::get_prompt, words::method::kPromptsGet, "", "name",
     &words::Features::prompts},
    {ConsultationKind::read_resource, words::method::kResourcesRead, "", "uri",
     &words::Features::resources},
    {ConsultationKind::complete, words::method::kComplete, "", "", &words::Features::completions},
};

Error nothing_of_this_kind() {
  return {ErrorKind::not_acceptable, "this MCP server has nothing of this kind"};
}

std::string inside(const std::string& object) {
  return object.size() < 2 ? std::string() : object.substr(1, object.size() - 2);
}

std::string members_of(const KindRow& row, const Consultation& asked) {
  if (row.kind == ConsultationKind::complete) {
    const std::size_t open = asked.params.find('{');
    const std::size_t close = asked.params.rfind('}');
    if (open == std::string::npos || close == std::string::npos) return {};
    return asked.params.substr(open + 1, close - open - 1);
  }
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member(row.subject, std::string_view(asked.subject));
  if (row.kind == ConsultationKind::get_prompt && !asked.params.empty()) {
    writer.raw_member("arguments", asked.params);
  }
  writer.end_object();
  return inside(text);
}

words::ClientCapabilities capabilities_for(tasks::QuestionKinds answerable) {
  words::ClientCapabilities declared;
  for (std::size_t i = 0; i < tasks::kQuestionKindCount; ++i) {
    const auto kind = static_cast<tasks::QuestionKind>(i);
    if ((answerable & tasks::bit(kind)) != 0) declared.add(words::needed_for(kind));
  }
  return declared;
}

Error to_error(const jsonrpc::Message& error, ConsultationKind kind) {
  std::string why(cut_utf8(error.message, kLongestReason));
  if (error.code == words::error_code::kLegacyResourceNotFound) {
    return {ErrorKind::not_found, std::move(why)};
  }
  if (error.code == jsonrpc::error_code::kMethodNotFound) return nothing_of_this_kind();
  if (error.code == jsonrpc::error_code::kInvalidParams) {
    const bool subject = kind == ConsultationKind::read_resource;
    return {subject ? ErrorKind::not_found : ErrorKind::malformed, std::move(why)};
  }
  return {ErrorKind::internal, std::move(why)};
}

net::awaitable<Result<Consulted>> list(std::shared_ptr<Link> link, const KindRow& row,
                                       std::string caller, std::shared_ptr<Stop> stop,
                                       ListLimits limits) {
  ListRequest request(row.method, row.list);
  request.caller = std::move(caller);
  request.stop = std::move(stop);
  const auto items = co_await list_all(link, std::move(request), limits);
  if (!items) co_return std::unexpected(items.error());
  Consulted consulted;
  json::Writer writer(consulted.result);
  writer.begin_array();
  for (const std::string& item : *items) writer.raw(item);
  writer.end_array();
  co_return consulted;
}

Result<Consulted> asked_back(const json::Value& result, const words::PendingRound& before) {
  words::PendingRound round;
  round.rounds = before.rounds + 1;
  if (const json::Value* state = result.find("requestState")) {
    if (!state->is_string()) return fail(ErrorKind::internal, "The MCP server's state is no text.");
    round.request_state = std::string(state->as_string());
  }
  Consulted consulted;
  if (const json::Value* requests = result.find("inputRequests")) {
    auto questions = words::read_input_requests(*requests);
    if (!questions) return fail(ErrorKind::internal, questions.error().message);
    for (words::ServerQuestion& question : *questions) {
      round.questions.emplace_back(question.key, question.kind);
      engine::AskedQuestion one;
      one.key = std::move(question.key);
      one.kind = question.kind;
      one.text = std::move(question.text);
      one.schema = std::move(question.schema);
      one.url = std::move(question.url);
      consulted.questions.push_back(std::move(one));
    }
  } else if (!round.request_state) {
    return fail(ErrorKind::internal, "The MCP server asks, and does not say what.");
  }
  consulted.state = words::write_round(round);
  return consulted;
}

Result<std::string> complete_of(const json::Value& result, ConsultationKind kind) {
  if (kind != ConsultationKind::complete) return std::string(result.source());
  const json::Value* completion = result.find("completion");
  if (completion == nullptr || !completion->is_object()) {
    return fail(ErrorKind::internal, "The MCP server completes without \"completion\".");
  }
  return std::string(completion->source());
}

}  // namespace

net::awaitable<Result<Consulted>> consult(std::shared_ptr<Link> link, Consultation asked,
                                          std::shared_ptr<Stop> stop, ListLimits limits) {
  const auto* const row = std::ranges::find(kKinds, asked.kind, &KindRow::kind);
  if (row == std::end(kKinds)) co_return std::unexpected(nothing_of_this_kind());
  auto opened = co_await link->opened();
  if (!opened) co_return std::unexpected(std::move(opened.error()));
  if (!(link->hello().features.*row->feature)) co_return std::unexpected(nothing_of_this_kind());
  if (!row->list.empty()) co_return co_await list(link, *row, asked.caller, stop, limits);

  words::PendingRound round;
  if (asked.state) {
    auto read = words::read_round(*asked.state);
    if (!read) co_return std::unexpected(std::move(read.error()));
    round = *std::move(read);
  }
  const std::string first = members_of(*row, asked);
  const std::string trace = words::trace_members(asked.metadata);
  for (; round.rounds <= kRounds;) {
    const auto more = words::round_members(round, asked.answers);
    if (!more) co_return std::unexpected(more.error());
    Outgoing outgoing(row->method);
    outgoing.members = more->empty() ? first : first + "," + *more;
    if (!row->subject.empty()) outgoing.name = asked.subject;
    outgoing.caller = asked.caller;
    outgoing.capabilities = capabilities_for(asked.answerable);
    outgoing.trace = trace;
    outgoing.repeatable = more->empty();
    outgoing.stop = stop;
    const auto reply = co_await link->request(std::move(outgoing));
    if (!reply) co_return std::unexpected(reply.error());
    if (reply->is_error()) co_return std::unexpected(to_error(reply->message, asked.kind));
    const json::Value& result = reply->message.result;
    const auto type = link->hello().modern()
                          ? words::result_type(result)
                          : Result<words::ResultType>(words::ResultType::complete);
    const bool may_ask = row->kind != ConsultationKind::complete;
    if (!type || *type == words::ResultType::task ||
        (*type == words::ResultType::input_required && !may_ask)) {
      co_return fail(ErrorKind::internal,
                     "The MCP server's answer is of a type that has no place.");
    }
    if (*type == words::ResultType::complete) {
      auto text = complete_of(result, asked.kind);
      if (!text) co_return std::unexpected(std::move(text.error()));
      Consulted consulted;
      consulted.result = *std::move(text);
      co_return consulted;
    }
    auto back = asked_back(result, round);
    if (!back || !back->questions.empty()) co_return back;
    round = *words::read_round(*back->state);  // nothing to be answered: again
  }
  co_return fail(ErrorKind::internal, "The MCP server wants to be asked again for ever.");
}

Patience::Patience(const net::Executor& strand, std::shared_ptr<engine::Withdrawal> withdrawal,
                   std::chrono::nanoseconds timeout)
    : withdrawal_(std::move(withdrawal)), timer_(strand) {
  timer_.expires_after(timeout);
  timer_.async_wait([stop = stop_](const boost::system::error_code& error) {
    if (!error) stop->stop();
  });
  if (!withdrawal_) return;
  withdrawal_->on_withdraw([strand, weak = std::weak_ptr(stop_)] {
    boost::asio::post(strand, [weak] {
      if (const auto stop = weak.lock()) stop->stop();
    });
  });
}

Patience::~Patience() {
  if (withdrawal_) withdrawal_->on_withdraw(nullptr);
}

}  // namespace interline::runtimes::mcp

#include "protocols/mcp/server/session.hpp"

#include <algorithm>
#include <utility>

#include <boost/asio/post.hpp>

#include "protocols/mcp/params.hpp"
#include "protocols/mcp/server/session_link.hpp"
#include "protocols/mcp/server/view.hpp"

namespace interline::protocols::mcp::server {
namespace {

constexpr std::size_t kMostStreams = 64;
constexpr std::size_t kMostResources = 1'000;
constexpr std::size_t kMostGeneral = 64;
/// What a client hears that never said.
constexpr LogLevel kUnsaid = LogLevel::info;

/// Capabilities of a session, from the revision on that has a word for them.
struct CapabilityRow {
  ClientCapability capability;
  Revision since;
};
constexpr CapabilityRow kCapabilities[] = {
    {ClientCapability::roots, Revision::v2024_10_07},
    {ClientCapability::sampling, Revision::v2024_10_07},
    {ClientCapability::elicitation_form, Revision::v2025_06_18},
    {ClientCapability::elicitation_url, Revision::v2025_11_25},
    {ClientCapability::sampling_tools, Revision::v2025_11_25},
};

/// A client that declares another cannot be asked by it.
ClientCapabilities known_to(Revision revision, ClientCapabilities declared) {
  ClientCapabilities known;
  for (const CapabilityRow& row : kCapabilities) {
    if (declared.has(row.capability) && row.since <= revision) known.add(row.capability);
  }
  return known;
}

}  // namespace

Session::Session(Core& core, std::string id, SessionRecord agreed,
                 boost::asio::any_io_executor executor)
    : core_(core),
      id_(std::move(id)),
      who_(std::move(agreed.who)),
      endpoint_(std::move(agreed.endpoint)),
      revision_(agreed.revision),
      capabilities_(known_to(agreed.revision, agreed.capabilities)),
      executor_(std::move(executor)),
      general_(std::make_shared<EventLog>(executor_, "0", kMostGeneral)),
      level_(agreed.level),
      resources_(agreed.resources.begin(), agreed.resources.end()) {}

Session::~Session() {
  if (subscriber_) subscriber_->reader_left();
}

awaitable<void> Session::begin(Features features) {
  Asked asked;
  asked.who = who_;
  asked.endpoint = endpoint_;
  asked.revision = revision_;
  asked.sink = general_.get();
  subscriber_ = std::make_shared<Subscriber>(core_, asked, executor_);
  membership_ = core_.changes->join(subscriber_);
  for (const std::string& uri : record().resources) {
    const Result<void> followed = co_await follow(uri);
    (void)followed;  // its agent is away: it is followed again when it is asked for again
  }
  ListenFilter filter;
  filter.tools_changed = features.tools_changed;
  filter.prompts_changed = features.prompts_changed;
  filter.resources_changed = features.resources_changed;
  subscriber_->begin(filter);
}

void Session::end() {
  std::vector<Stream> streams;
  {
    const std::lock_guard lock(mutex_);
    streams.swap(streams_);
  }
  for (const Stream& stream : streams) stream.log->close();
  general_->close();
  if (subscriber_) subscriber_->reader_left();
}

// --- requests -----------------------------------------------------------------------------------

awaitable<Reply> Session::handle(LegacyExchange exchange, Features features,
                                 std::shared_ptr<Sink> sink) {
  SessionLink link(*this, sink);
  Asked asked;
  asked.who = who_;
  asked.endpoint = endpoint_;
  asked.features = features;
  asked.revision = revision_;
  asked.message = exchange.message;
  asked.method = exchange.method;
  asked.meta = exchange.meta;
  asked.meta.capabilities = capabilities_;
  {
    const std::lock_guard lock(mutex_);
    asked.meta.log_level = level_.value_or(kUnsaid);
  }
  asked.sink = sink.get();
  asked.link = &link;
  const Method own = own_method(exchange.message.method);
  if (own == nullptr) co_return co_await answer_request(core_, asked);
  const Result<void> charged = core_.engine.charge(who_, policy::RateClass::metadata);
  if (!charged) co_return reply_to(asked, refuse(charged.error()));
  const Answer answered = co_await (this->*own)(asked);
  co_return reply_to(asked, answered);
}

Session::Method Session::own_method(std::string_view name) {
  struct Row {
    std::string_view name;
    Method method;
  };
  static constexpr Row kRows[] = {{"logging/setLevel", &Session::set_level},
                                  {"resources/subscribe", &Session::subscribe},
                                  {"resources/unsubscribe", &Session::unsubscribe}};
  const auto* const row = std::ranges::find(kRows, name, &Row::name);
  return row == std::end(kRows) ? nullptr : row->method;
}

awaitable<Answer> Session::set_level(const Asked& asked) {
  const auto word = read_level_params(asked.message.params);
  if (!word) co_return bad_params(word.error());
  const auto level = log_level_named(*word);
  if (!level) co_return refuse(invalid_params("There is no such level."));
  {
    const std::lock_guard lock(mutex_);
    level_ = *level;
  }
  co_await save();
  co_return std::string("{}");
}

awaitable<Result<void>> Session::follow(std::string shown) {
  Asked view;
  view.endpoint = endpoint_;
  const auto own = own_uri(view, shown);
  if (!own) co_return fail(ErrorKind::not_found, "There is no such resource.");
  auto subscription = co_await core_.engine.follow_resource(who_, own->endpoint, own->uri);
  if (!subscription) co_return std::unexpected(std::move(subscription.error()));
  subscriber_->watch_resource(own->endpoint, own->uri, *std::move(subscription));
  co_return Result<void>();
}

awaitable<Answer> Session::subscribe(const Asked& asked) {
  const auto params = read_resource_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  {
    const std::lock_guard lock(mutex_);
    if (resources_.size() >= kMostResources) {
      co_return refuse(invalid_params("Too many resources are subscribed to."));
    }
  }
  const Result<void> followed = co_await follow(std::string(params->uri));
  if (!followed && followed.error().kind == ErrorKind::not_found) {
    co_return refuse(resource_not_found(params->uri, revision_));
  }
  if (!followed) co_return refuse(followed.error());
  {
    const std::lock_guard lock(mutex_);
    resources_.emplace(params->uri);
  }
  co_await save();
  co_return std::string("{}");
}

awaitable<Answer> Session::unsubscribe(const Asked& asked) {
  const auto params = read_resource_params(asked.message.params);
  if (!params) co_return bad_params(params.error());
  if (const auto own = own_uri(asked, params->uri)) {
    subscriber_->unwatch_resource(own->endpoint, own->uri);
  }
  {
    const std::lock_guard lock(mutex_);
    resources_.erase(std::string(params->uri));
  }
  co_await save();
  co_return std::string("{}");
}

// --- what the client answers and takes back
// -------------------------------------------------------

void Session::answered(const jsonrpc::Message& message) {
  std::shared_ptr<Waiting> waiting;
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(message.id);
    if (found == waiting_.end()) return;
    waiting = found->second;
    waiting_.erase(found);
  }
  const bool is_result = message.kind == jsonrpc::Kind::result;
  std::string result(is_result ? message.result.source() : std::string_view());
  boost::asio::post(executor_, [waiting, result = std::move(result)]() mutable {
    waiting->result = std::move(result);
    waiting->timer.cancel();
  });
}

void Session::cancelled(std::string_view request) {
  std::shared_ptr<EventLog> log;
  {
    const std::lock_guard lock(mutex_);
    const auto is_it = [request](const Stream& stream) {
      return stream.request == request && !stream.log->ended();
    };
    const auto found = std::ranges::find_if(streams_, is_it);
    if (found != streams_.end()) log = found->log;
  }
  if (log) log->close();
}

std::string Session::next_request_id() {
  const std::lock_guard lock(mutex_);
  return "\"interline-" + std::to_string(++requests_) + '"';
}

// --- streams
// --------------------------------------------------------------------------------------

std::shared_ptr<EventLog> Session::open_stream(std::string_view request) {
  std::shared_ptr<EventLog> gone;
  const std::lock_guard lock(mutex_);
  if (streams_.size() >= kMostStreams) {
    const auto ended = [](const Stream& stream) { return stream.log->ended(); };
    const auto oldest = std::ranges::find_if(streams_, ended);
    if (oldest != streams_.end()) streams_.erase(oldest);
  }
  Stream stream;
  stream.request = request;
  stream.log = std::make_shared<EventLog>(executor_, std::to_string(++opened_));
  streams_.push_back(stream);
  return stream.log;
}

std::shared_ptr<EventLog> Session::stream(std::string_view name) const {
  if (name == general_->name()) return general_;
  const std::lock_guard lock(mutex_);
  for (const Stream& stream : streams_) {
    if (stream.log->name() == name) return stream.log;
  }
  return nullptr;
}

bool Session::busy() const {
  if (general_->has_reader()) return true;
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(streams_, [](const Stream& stream) { return !stream.log->ended(); });
}

// --- what is kept
// ---------------------------------------------------------------------------------

SessionRecord Session::record() const {
  const std::lock_guard lock(mutex_);
  SessionRecord record;
  record.who = who_;
  record.endpoint = endpoint_;
  record.revision = revision_;
  record.capabilities = capabilities_;
  record.level = level_;
  record.resources.assign(resources_.begin(), resources_.end());
  return record;
}

awaitable<void> Session::save() {
  if (id_.empty()) co_return;
  std::vector<engine::RecordChange> changes;
  changes.push_back(keep_session(id_, record(), core_.clock.now() + kLife));
  const Result<void> kept = co_await core_.engine.change_records(std::move(changes));
  if (!kept) core_.log.warning("a session could not be kept", {{"error", kept.error()}});
}

}  // namespace interline::protocols::mcp::server

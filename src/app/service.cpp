#include "app/service.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "app/data_dir.hpp"
#include "app/origin_guard.hpp"
#include "app/pid_file.hpp"
#include "app/private_files.hpp"
#include "app/settings.hpp"
#include "app/takeover.hpp"
#include "app/xmpp_agents.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace interline::app {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kFrontGrace = 2s;  // for answers that are owed, after the work
constexpr auto kSayLeftOutEvery = 10s;
// A gateway that was killed a moment ago still has its database until the kernel is through with
// it.
constexpr std::chrono::milliseconds kLastOwner = 5s;
constexpr std::size_t kEndpointsAtOnce = 10'000;
constexpr std::string_view kByConfiguration = "configuration";

}  // namespace

Service::Service(net::Executor executor, Configuration configuration, const Clock& clock,
                 Logger log, std::function<void()> on_broken)
    : executor_(std::move(executor)),
      configuration_(std::move(configuration)),
      clock_(clock),
      log_(std::move(log)),
      on_broken_(std::move(on_broken)),
      decisions_(std::make_shared<policy::DecisionLog>(log_, clock_)),
      strand_(net::new_strand(executor_)),
      pause_(strand_),
      created_(clock.now()),
      title_(configuration_.gateway.title) {}

Service::~Service() = default;

// --- start --------------------------------------------------------------------------------------

net::awaitable<Result<void>> Service::start() {
  if (Result<void> done = open_store(); !done) co_return done;
  // Whatever can be wrong with the surroundings shows before a task is touched.
  if (Result<void> done = open_listeners(); !done) co_return done;
  if (Result<void> done = open_engine(); !done) co_return done;
  auto before = configured_before();
  if (!before) co_return std::unexpected(std::move(before.error()));
  Result<void> started = co_await gateway_->start();
  if (!started) co_return started;
  started = co_await endpoints_->begin(*std::move(before));
  if (!started) co_return started;
  serve_http();
  start_xmpp();
  boost::asio::co_spawn(strand_, say_left_out_denials(), boost::asio::detached);
  started_ = true;
  co_return Result<void>();
}

Result<void> Service::open_store() {
  const std::filesystem::path& folder = configuration_.gateway.data_dir;
  if (Result<void> made = make_data_dir(folder); !made) return made;
  warn_of_open_secrets();
  store::SqliteOptions options;
  options.log = log_;
  options.condition = store_condition_;
  options.lock_patience = kLastOwner;
  options.stored_bytes = configuration_.limits.stored_bytes;
  auto opened = store::open_sqlite_store((folder / "interline.db").string(), std::move(options));
  if (!opened) return std::unexpected(std::move(opened.error()));
  store_ = *std::move(opened);
  auto pid_file = PidFile::write(folder);  // the folder is ours: the store's lock says so
  if (!pid_file) return std::unexpected(std::move(pid_file.error()));
  pid_file_ = *std::move(pid_file);
  return {};
}

void Service::warn_of_open_secrets() const {
  for (const OpenSecret& one : open_secrets(configuration_)) {
    log_.warning("every user of this machine may read or write a file with a secret: chmod 600",
                 {{"key", one.key}, {"file", one.file.string()}});
  }
}

Result<void> Service::open_listeners() {
  const auto socket = configuration_.gateway.data_dir / control::kSocketName;
  auto control = HttpFront::make_local(executor_, socket, log_);
  if (!control) return std::unexpected(std::move(control.error()));
  control_ = *std::move(control);
  if (!has_http(configuration_.http)) return {};
  auto http = HttpFront::make(executor_, configuration_, log_);
  if (!http) {
    Error error = std::move(http.error());
    error.message.insert(0, "[http] ");
    return std::unexpected(std::move(error));
  }
  http_ = *std::move(http);
  return {};
}

Result<void> Service::open_engine() {
  auto key = token_key(configuration_.gateway.data_dir);
  if (!key) return std::unexpected(std::move(key.error()));
  auto policy = policy::Policy::compile(policy_settings(configuration_), decisions_);
  if (!policy) return std::unexpected(policy.error().front());
  gateway_ = std::make_unique<engine::Gateway>(
      executor_, *store_, clock_, log_, gateway_settings(configuration_, *key),
      std::make_shared<const policy::Policy>(*std::move(policy)), on_broken_);
  if (http_ && !configuration_.issuers.empty()) {
    issuers_ = std::make_unique<Issuers>(
        configuration_.issuers, configuration_.http.public_url,
        fetch_over_http(executor_, configuration_.egress.allow_private), clock_, log_);
  }
  mcp_ = std::make_unique<McpFront>(*gateway_, configuration_, *key, issuers_.get(), clock_, log_);
  a2a_ = std::make_unique<A2aFront>(*gateway_, configuration_, *key, issuers_.get(), clock_, log_);
  RuntimeServices services(executor_, configuration_.directory, log_);
  services.allow_private = configuration_.egress.allow_private;
  services.tokens = tokens_folder(configuration_.gateway.data_dir);
  services.agents = std::make_shared<XmppAgents>();  // without [xmpp] nothing is ever sent
  const std::shared_ptr<XmppAgents> agents = services.agents;
  endpoints_ = std::make_unique<Endpoints>(*gateway_, std::move(services),
                                           import_settings(configuration_), log_);
  endpoints_->open(configuration_.endpoints);
  if (!configuration_.xmpp) return {};
  auto front = XmppFront::make(executor_, *gateway_, configuration_, clock_, log_);
  if (!front) {
    Error error = std::move(front.error());
    error.message.insert(0, "[xmpp] ");
    return std::unexpected(std::move(error));
  }
  xmpp_ = *std::move(front);
  xmpp_->serve(agents);
  return {};
}

/// Active endpoints that an earlier configuration had registered.
Result<std::vector<std::string>> Service::configured_before() {
  std::vector<std::string> names;
  std::string after;
  for (;;) {
    auto rows = store_->endpoints(after, kEndpointsAtOnce);
    if (!rows) return std::unexpected(std::move(rows.error()));
    if (rows->empty()) return names;
    after = rows->back().name;
    for (store::EndpointRow& row : *rows) {
      if (row.origin == kByConfiguration && !row.active.empty())
        names.push_back(std::move(row.name));
    }
  }
}

void Service::serve_http() {
  HealthSources sources;
  sources.readiness = [this] { return readiness(); };
  sources.metrics = [this] { return metrics(); };
  sources.is_operator = [this](uid_t user) {
    return gateway_->policy()->is_operator(control::local_principal(user));
  };
  const net::http::Guard guard = origin_guard(configuration_.http.allowed_origins);
  auto local = std::make_shared<net::http::Router>();
  add_health_routes(*local, sources, {});
  control_streams_ = control::add_routes(*local, *gateway_, clock_, control_options());
  control_->serve(std::move(local));
  log_.info("serving the command line", {{"address", control_->address()}});
  if (!http_) return;
  auto open = std::make_shared<net::http::Router>();
  add_health_routes(*open, sources, guard);
  mcp_->add_routes(*open, executor_, http_->address(), http_->secure());
  a2a_->add_routes(*open, http_->address(), http_->secure());
  http_->serve(std::move(open));
  log_.info("serving HTTP", {{"address", http_->address()}, {"tls", http_->secure()}});
  if (is_in_plain_text(configuration_.http)) {
    log_.warning(
        "API keys go in plain text to a listener that other machines reach: set [http] "
        "tls_certificate and tls_key, or listen on 127.0.0.1 behind a proxy",
        {{"address", http_->address()}});
  }
}

control::Options Service::control_options() {
  control::Options options;
  options.limits = control_limits(configuration_.limits);
  options.domain = endpoint_domain(configuration_);
  options.mcp = mcp_->lines();
  options.status = [this] { return status(); };
  options.load = [this](std::string_view endpoint) {
    const engine::Dispatcher::Load now = gateway_->load(endpoint);
    return control::Load{now.running, now.waiting};
  };
  options.endpoints = [this] {
    std::vector<control::ConfiguredEndpoint> all;
    for (EndpointStatus& one : endpoints_->status()) {
      all.push_back({std::move(one.name), std::move(one.title), std::string(to_string(one.phase)),
                     std::move(one.why)});
    }
    return all;
  };
  return options;
}

void Service::start_xmpp() {
  if (!xmpp_) return;
  boost::asio::co_spawn(executor_, xmpp_->run(), boost::asio::detached);
}

/// A flood of denials may be followed by nothing that would say how long it was.
net::awaitable<void> Service::say_left_out_denials() {
  while (!draining_) {
    pause_.expires_after(kSayLeftOutEvery);
    co_await pause_.async_wait(net::use_tuple);
    decisions_->say_left_out();
  }
}

// --- change -------------------------------------------------------------------------------------

net::awaitable<void> Service::reload(Configuration fresh) {
  Takeover takeover = take_over(configuration_, fresh);
  for (const std::string& section : takeover.waiting) {
    log_.warning("a section was changed that needs a restart: it stays as it was",
                 {{"section", section}});
  }
  configuration_ = std::move(takeover.configuration);
  auto policy = policy::Policy::compile(policy_settings(configuration_), decisions_);
  if (policy) {  // as the reader of the configuration made sure
    gateway_->use_policy(std::make_shared<const policy::Policy>(*std::move(policy)));
  }
  if (http_) {
    const Result<void> certificate = http_->reload_certificate(configuration_.http);
    if (!certificate) {
      log_.error(
          "the certificate cannot be read: the old one stays in use; mend it and send SIGHUP",
          {{"error", certificate.error()}});
    }
  }
  warn_of_open_secrets();
  a2a_->reload(configuration_);
  std::vector<EndpointTable> tables = configuration_.endpoints;
  co_await endpoints_->apply(std::move(tables));
  // Beside this: it waits behind what peers say.
  if (xmpp_) boost::asio::co_spawn(executor_, xmpp_->refresh_presence(), boost::asio::detached);
  log_.info("the configuration was taken over");
}

// --- end ----------------------------------------------------------------------------------------

net::awaitable<void> Service::drain() {
  draining_ = true;
  boost::asio::post(strand_, [this] { pause_.cancel(); });
  if (gateway_) {
    const auto grace = started_ ? configuration_.tasks.drain : std::chrono::milliseconds(0);
    if (endpoints_) endpoints_->stop_importing();
    gateway_->close();  // before anybody is told that it is so
    if (started_) {
      log_.info("draining: no new calls, running ones may end", {{"within_ms", grace.count()}});
    }
    // The networks stay up as long as the work: its events still go out.
    co_await gateway_->drain(grace);
    co_await endpoints_->drain(kFrontGrace);
  }
  if (started_ && xmpp_) co_await xmpp_->drain(kFrontGrace);
  if (control_streams_) control_streams_->end_all();
  if (mcp_) mcp_->end_streams();
  if (http_) co_await http_->drain(kFrontGrace);
  if (control_) co_await control_->drain(kFrontGrace);
  if (gateway_) gateway_->stop();
  decisions_->say_left_out();
  if (started_) log_.info("stopped");
}

}  // namespace interline::app

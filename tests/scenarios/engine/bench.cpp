#include "bench.hpp"

#include <cstdlib>

#include "json/writer.hpp"
#include "runtimes/builtin/builtin_runtime.hpp"

namespace interline::testing {
namespace {

std::shared_ptr<const policy::Policy> make_policy(const std::vector<policy::Grant>& more) {
  policy::Configuration configuration;
  configuration.local_domains = {"example.test"};
  configuration.admins = {"xmpp:admin@example.test"};
  configuration.operators = {"local:root"};
  policy::Grant grant;
  grant.principals = {"xmpp:*@example.test", "key:*"};
  for (const policy::Grant& own : more) {  // who has grants of its own has no others
    for (const std::string& principal : own.principals) grant.principals.push_back("!" + principal);
  }
  grant.endpoints = {"*", "!hidden"};
  grant.invoke = {"*"};
  grant.visible = true;
  configuration.grants.push_back(grant);
  configuration.grants.insert(configuration.grants.end(), more.begin(), more.end());
  policy::Account account;
  account.name = "alice";
  account.principals = {"xmpp:alice@example.test", "key:alice-laptop"};
  configuration.accounts.push_back(account);
  return std::make_shared<policy::Policy>(*policy::Policy::compile(std::move(configuration)));
}

std::string manifest_of(const std::string& name, const engine::ImportedTools& tools) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("manifestSpecVersion", "0");
  writer.name("agent");
  writer.begin_object();
  writer.member("jid", name + "@agents.example.test");
  writer.member("name", name);
  writer.member("version", "1");
  writer.end_object();
  writer.name("tools");
  writer.begin_array();
  for (const std::string& definition : tools.definitions) writer.raw(definition);
  writer.end_array();
  writer.end_object();
  return text;
}

}  // namespace

namespace {

EngineOptions options_of(const engine::LaneConfiguration& lane,
                         engine::GatewayConfiguration configuration, const Clock* clock,
                         bool puppet) {
  EngineOptions options;
  options.lane = lane;
  options.clock = clock;
  options.puppet = puppet;
  options.configure = [configuration = std::move(configuration)](auto& made) {
    std::string key = std::move(made.token_key);
    made = configuration;
    made.token_key = std::move(key);
  };
  return options;
}

}  // namespace

EngineBench::EngineBench(const engine::LaneConfiguration& lane,
                         engine::GatewayConfiguration configuration, const Clock* clock,
                         bool puppet)
    : EngineBench(options_of(lane, std::move(configuration), clock, puppet)) {}

EngineBench::EngineBench(EngineOptions options)
    : options_(std::move(options)),
      clock_(options_.clock == nullptr ? system_clock_ : *options_.clock) {
  if (options_.store.vfs.empty()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "interline-engine-XXXXXX");
    folder_ = mkdtemp(pattern.data());
  }
  start();
}

EngineBench::~EngineBench() {
  stop();
  if (!folder_.empty()) std::filesystem::remove_all(folder_);
}

void EngineBench::start() {
  io_ = std::make_unique<boost::asio::io_context>();
  guard_.emplace(io_->get_executor());
  for (int i = 0; i < options_.threads; ++i) threads_.emplace_back([this] { io_->run(); });
  const std::string path = folder_.empty() ? "/interline.db" : (folder_ / "interline.db").string();
  auto opened = store::open_sqlite_store(path, options_.store);
  if (!opened) throw std::runtime_error(opened.error().message);
  store_ = std::make_unique<GatedStore>(*std::move(opened));
  engine::GatewayConfiguration configuration;
  configuration.token_key = "a key for tests of 32 bytes.....";
  options_.configure(configuration);
  gateway_ = std::make_unique<engine::Gateway>(
      io_->get_executor(), *store_, clock_, Logger(), std::move(configuration),
      make_policy(options_.grants), [this] { ++uncertain_; });
  for (const auto& [network, guard] : options_.guards) gateway_->on_result(network, guard);
  for (const auto name : {"demo", "hidden"}) {
    open(name, std::make_shared<runtimes::builtin::BuiltinRuntime>(io_->get_executor()));
  }
  if (options_.puppet) open("puppet", puppet_);
  if (before_start) before_start();
  const auto started = run(gateway_->start());
  if (!started) throw std::runtime_error(started.error().message);
}

void EngineBench::open(const std::string& endpoint, std::shared_ptr<engine::Runtime> runtime) {
  const auto tools = run(runtime->list_tools());
  gateway_->open_lane(endpoint, runtime, options_.lane);
  auto manifest = run(gateway_->read_manifest(manifest_of(endpoint, *tools)));
  if (!manifest) throw std::runtime_error(manifest.error().message);
  const auto done = run(gateway_->register_configured(endpoint, *manifest, true, "[]"));
  if (!done) throw std::runtime_error(done.error().message);
}

void EngineBench::stop() {
  if (!gateway_) return;
  gateway_->stop();
  guard_.reset();
  io_->stop();
  threads_.clear();
  gateway_.reset();
  past_.push_back(std::move(io_));
  store_.reset();
  puppet_->forget();
}

void EngineBench::restart() {
  stop();
  start();
}

void EngineBench::restart(store::SqliteOptions store) {
  stop();
  options_.store = std::move(store);
  start();
}

engine::Invocation EngineBench::call(std::string tool, std::string arguments,
                                     std::string request_key) const {
  engine::Invocation invocation;
  invocation.endpoint = "demo";
  invocation.tool = std::move(tool);
  invocation.arguments = std::move(arguments);
  invocation.request_key = std::move(request_key);
  invocation.network = "xmpp";
  invocation.replay_label = "test:1";
  invocation.answerable = tasks::bit(tasks::QuestionKind::form);
  return invocation;
}

engine::Invocation EngineBench::puppet_call(std::string request_key) const {
  engine::Invocation invocation = call("do", "{}", std::move(request_key));
  invocation.endpoint = "puppet";
  return invocation;
}

std::shared_ptr<PuppetCall> EngineBench::work(std::string& task) {
  auto admission = admit(kAlice, puppet_call());
  if (!admission) throw std::runtime_error(admission.error().message);
  task = admission->task;
  return puppet_->next();
}

Result<engine::Admission> EngineBench::admit(const Principal& who, engine::Invocation invocation) {
  return run(gateway_->admit(who, std::move(invocation)));
}

std::string EngineBench::task(std::string tool, std::string arguments) {
  auto admission = admit(kAlice, call(std::move(tool), std::move(arguments)));
  if (!admission) throw std::runtime_error(admission.error().message);
  return admission->task;
}

tasks::Task EngineBench::state(const std::string& task, const Principal& who) {
  auto view = run(gateway_->state(who, task));
  if (!view) throw std::runtime_error(view.error().message);
  return view->task;
}

tasks::Task EngineBench::until(const std::string& task, tasks::State wanted) {
  auto follow = [this, task, wanted]() -> awaitable<void> {
    auto watch = co_await gateway_->watch(kAlice, task, engine::kFromSnapshot);
    if ((*watch)->snapshot().state == wanted) co_return;
    for (;;) {
      const auto entry = co_await (*watch)->next();
      if (!entry || !*entry || (*entry)->state == wanted) co_return;
    }
  };
  run(follow());
  return state(task);
}

std::vector<tasks::LogEntry> EngineBench::whole_log(const std::string& task) {
  until(task, tasks::State::completed);
  return *store_->log(task, 0, 10'000);
}

}  // namespace interline::testing

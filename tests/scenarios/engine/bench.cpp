#include "bench.hpp"

#include <cstdlib>

#include "json/writer.hpp"
#include "runtimes/builtin/builtin_runtime.hpp"

namespace interline::testing {
namespace {

std::shared_ptr<const policy::Policy> make_policy() {
  policy::Configuration configuration;
  configuration.local_domains = {"example.test"};
  configuration.admins = {"xmpp:admin@example.test"};
  policy::Grant grant;
  grant.principals = {"xmpp:*@example.test", "key:*"};
  grant.endpoints = {"*", "!hidden"};
  grant.invoke = {"*"};
  grant.visible = true;
  configuration.grants.push_back(grant);
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

EngineBench::EngineBench(engine::LaneConfiguration lane, engine::GatewayConfiguration configuration,
                         const Clock* clock)
    : lane_(lane),
      configuration_(std::move(configuration)),
      clock_(clock == nullptr ? system_clock_ : *clock) {
  configuration_.token_key = "a key for tests of 32 bytes.....";
  std::string pattern = (std::filesystem::temp_directory_path() / "interline-engine-XXXXXX");
  folder_ = mkdtemp(pattern.data());
  start();
}

EngineBench::~EngineBench() {
  stop();
  std::filesystem::remove_all(folder_);
}

void EngineBench::start() {
  io_ = std::make_unique<boost::asio::io_context>();
  guard_.emplace(io_->get_executor());
  for (int i = 0; i < 2; ++i) threads_.emplace_back([this] { io_->run(); });
  auto opened = store::open_sqlite_store((folder_ / "interline.db").string());
  if (!opened) throw std::runtime_error(opened.error().message);
  store_ = *std::move(opened);
  gateway_ = std::make_unique<engine::Gateway>(io_->get_executor(), *store_, clock_, Logger(),
                                               configuration_, make_policy(), [] {});
  for (const auto name : {"demo", "hidden"}) {
    auto runtime = std::make_shared<runtimes::builtin::BuiltinRuntime>(io_->get_executor());
    const auto tools = run(runtime->list_tools());
    gateway_->open_lane(name, runtime, lane_);
    auto manifest = run(gateway_->read_manifest(manifest_of(name, *tools)));
    if (!manifest) throw std::runtime_error(manifest.error().message);
    const auto done = run(gateway_->register_configured(name, *manifest, true, "[]"));
    if (!done) throw std::runtime_error(done.error().message);
  }
  if (before_start) before_start();
  const auto started = run(gateway_->start());
  if (!started) throw std::runtime_error(started.error().message);
}

void EngineBench::stop() {
  gateway_->stop();
  guard_.reset();
  io_->stop();
  threads_.clear();
  gateway_.reset();
  io_.reset();
  store_.reset();
}

void EngineBench::restart() {
  stop();
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
    auto watch = co_await gateway_->watch(kAlice, task, 0);
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

#include "runtimes/xmpp/xmpp_runtime.hpp"

#include <set>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "engine/suspend.hpp"
#include "net/event.hpp"
#include "runtimes/xmpp/call_course.hpp"

namespace interline::runtimes::xmpp {

namespace asio = boost::asio;
using net::awaitable;

/// Those at work; on the agent's strand.
struct XmppRuntime::Calls {
  explicit Calls(const net::Executor& strand) : changed(strand) {}

  std::set<std::shared_ptr<CallCourse>> open;
  net::Event changed;
};

namespace {

/// Returns on the caller's executor with what `work` returns, which runs on the agent's strand.
template <class T, class Work>
awaitable<T> on_strand(std::shared_ptr<RemoteAgent> agent, Work work) {
  auto start = [agent, &work](std::move_only_function<void(T)> resume) {
    auto done = std::make_shared<std::move_only_function<void(T)>>(std::move(resume));
    asio::co_spawn(agent->strand(), work(agent), [done](std::exception_ptr broken, T value) {
      if (broken) value = fail(ErrorKind::internal, "The remote agent could not be asked.");
      (*done)(std::move(value));
    });
  };
  co_return co_await engine::suspend<T>(std::move(start));
}

}  // namespace

XmppRuntime::XmppRuntime(const net::Executor& executor, std::unique_ptr<Link> link,
                         std::shared_ptr<const Clock> clock, Logger log, AgentLimits limits)
    : clock_(std::move(clock)),
      agent_(std::make_shared<RemoteAgent>(executor, std::move(link), limits, std::move(log))),
      calls_(std::make_shared<Calls>(agent_->strand())) {
  agent_->open();
}

XmppRuntime::~XmppRuntime() {
  agent_->on_change(nullptr);
  agent_->close();
  asio::post(agent_->strand(), [agent = agent_, calls = calls_] {
    for (const auto& call : std::set(calls->open)) call->drop();
  });
}

engine::RuntimeFeatures XmppRuntime::features() const {
  return agent_->features();
}

bool XmppRuntime::available() const {
  return agent_->available();
}

engine::awaitable<Result<engine::ImportedTools>> XmppRuntime::list_tools() {
  using Listed = Result<engine::ImportedTools>;
  auto work = [](std::shared_ptr<RemoteAgent> agent) -> awaitable<Listed> {
    co_return co_await agent->list_tools();
  };
  co_return co_await on_strand<Listed>(agent_, work);
}

void XmppRuntime::start(std::shared_ptr<engine::Job> job) {
  auto call = std::make_shared<CallCourse>(agent_, std::move(job), clock_);
  auto work = [](std::shared_ptr<Calls> calls,
                 std::shared_ptr<CallCourse> course) -> awaitable<void> {
    calls->open.insert(course);
    co_await course->run();
    calls->open.erase(course);
    calls->changed.notify_all();
  };
  asio::co_spawn(agent_->strand(), work(calls_, std::move(call)), asio::detached);
}

engine::awaitable<void> XmppRuntime::drain(std::chrono::milliseconds grace) {
  using Done = Result<void>;
  auto work = [calls = calls_, grace](std::shared_ptr<RemoteAgent> agent) -> awaitable<Done> {
    bool over = false;
    asio::steady_timer limit(agent->strand(), grace);
    auto ring = [](std::shared_ptr<Calls> of, bool& flag,
                   asio::steady_timer& timer) -> awaitable<void> {
      co_await timer.async_wait(net::use_tuple);
      flag = true;
      of->changed.notify_all();
    };
    asio::co_spawn(agent->strand(), ring(calls, over, limit), asio::detached);
    while (!calls->open.empty() && !over) co_await calls->changed.wait();
    limit.cancel();
    while (!over) co_await calls->changed.wait();  // the bell uses what ends here
    co_return Done();
  };
  (void)co_await on_strand<Done>(agent_, work);
}

void XmppRuntime::on_change(std::function<void(const engine::AgentChange&)> listener) {
  agent_->on_change(std::move(listener));
}

}  // namespace interline::runtimes::xmpp

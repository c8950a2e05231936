#include "runtimes/mcp/http_upstream.hpp"

#include <atomic>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>

#include "net/deadline.hpp"
#include "net/event.hpp"
#include "runtimes/mcp/consulting.hpp"

namespace interline::runtimes::mcp {
namespace {

namespace asio = boost::asio;

tasks::Failure shutting_down() {
  return {std::string(tasks::failure_code::kUnavailable), "The gateway is shutting down.", true};
}

}  // namespace

/// Everything of it, on its strand.
class HttpUpstream::Core : public std::enable_shared_from_this<Core> {
 public:
  Core(const net::Executor& executor, HttpConfiguration configuration, const CourseLimits& course,
       const ListLimits& lists, std::shared_ptr<ServerState> state, Logger log)
      : strand_(net::new_strand(executor)),
        course_limits_(course),
        lists_(lists),
        log_(log),
        link_(std::make_shared<HttpLink>(strand_, std::move(configuration), state, log)),
        subscription_(std::make_shared<Subscription>(strand_, std::move(state))),
        changed_(strand_) {}

  [[nodiscard]] const net::Executor& strand() const { return strand_; }
  [[nodiscard]] bool reached() const { return reached_; }

  void open() {
    link_->on_open([weak = weak_from_this()] {
      const auto self = weak.lock();
      if (!self) return;
      self->reached_ = true;
      if (!std::exchange(self->subscribing_, true)) {
        asio::co_spawn(self->strand_, self->subscription_->run(self->link_), asio::detached);
      } else {
        self->subscription_->refresh();
      }
    });
  }

  void accept(const std::shared_ptr<engine::Job>& job) {
    if (stopping_) return job->fail(shutting_down());
    const std::string handle = job->input().handle;
    auto take = [weak = weak_from_this(), handle,
                 job = std::weak_ptr(job)]() -> std::shared_ptr<engine::Job> {
      const auto self = weak.lock();
      if (!self || self->courses_.erase(handle) == 0) return nullptr;
      self->changed_.notify_all();
      return job.lock();
    };
    const auto course =
        std::make_shared<CallCourse>(link_, job, course_limits_, std::move(take), log_);
    courses_[handle] = course;
    job->listen(callbacks_for(handle));
    asio::co_spawn(strand_, run(shared_from_this(), course), asio::detached);
  }

  static net::awaitable<void> run(std::shared_ptr<Core> self, std::shared_ptr<CallCourse> course) {
    co_await course->run();
    self->changed_.notify_all();
  }

  net::awaitable<Result<engine::ImportedTools>> list() {
    const auto self = shared_from_this();
    auto tools = co_await import_tools(link_, lists_, true);
    if (tools) warn_of_losses(*tools, log_);
    reached_ = tools || tools.error().kind != ErrorKind::unavailable;
    co_return tools;
  }

  net::awaitable<Result<engine::Consulted>> consult(
      engine::Consultation asked, std::shared_ptr<engine::Withdrawal> withdrawal) {
    const auto self = shared_from_this();
    const Patience patience(strand_, std::move(withdrawal), asked.timeout);
    auto consulted = co_await mcp::consult(link_, std::move(asked), patience.stop(), lists_);
    if (!consulted && consulted.error().kind == ErrorKind::conflict) {
      co_return fail(ErrorKind::unavailable, ErrorReason::expired,
                     "the MCP server did not answer in time");
    }
    co_return consulted;
  }

  net::awaitable<Result<void>> refollow() {
    const auto self = shared_from_this();
    auto opened = co_await link_->opened();
    if (!opened) co_return opened;
    if (!link_->hello().features.resource_subscriptions) {
      co_return fail(ErrorKind::not_acceptable, "this MCP server tells nobody of changes");
    }
    subscription_->refresh();
    co_return Result<void>();
  }

  net::awaitable<void> drain(std::chrono::milliseconds grace) {
    const auto self = shared_from_this();
    stopping_ = true;
    net::Deadline limit(strand_, [this] { changed_.notify_all(); });
    limit.expires_after(grace);
    while (!courses_.empty() && !limit.expired()) co_await changed_.wait();
    limit.stop();
    shut();
  }

  void shut() {
    stopping_ = true;
    subscription_->close();
    link_->on_open(nullptr);
    link_->close();
  }

 private:
  engine::JobCallbacks callbacks_for(const std::string& handle) {
    const auto with_course = [weak = weak_from_this(), strand = strand_, handle](auto act) {
      asio::post(strand, [weak, handle, act = std::move(act)] {
        const auto self = weak.lock();
        if (!self) return;
        const auto found = self->courses_.find(handle);
        if (found == self->courses_.end()) return;
        const auto course = found->second;
        act(*self, *course);
      });
    };
    engine::JobCallbacks callbacks;
    callbacks.on_input = [with_course](const tasks::Answer& answer) {
      with_course([answer](Core&, CallCourse& course) { course.answer(answer); });
    };
    callbacks.on_cancel = [with_course](const std::optional<std::string>&) {
      with_course([](Core&, CallCourse& course) { course.cancel(); });
    };
    callbacks.on_stop = [with_course, handle] {
      with_course([handle](Core& core, CallCourse& course) {
        core.courses_.erase(handle);
        core.changed_.notify_all();
        course.stop();
      });
    };
    return callbacks;
  }

  const net::Executor strand_;
  const CourseLimits course_limits_;
  const ListLimits lists_;
  const Logger log_;
  const std::shared_ptr<HttpLink> link_;
  const std::shared_ptr<Subscription> subscription_;
  std::map<std::string, std::shared_ptr<CallCourse>> courses_;  ///< by handle
  net::Event changed_;
  std::atomic<bool> reached_{false};
  bool subscribing_ = false;
  bool stopping_ = false;
};

HttpUpstream::HttpUpstream(const net::Executor& executor, HttpConfiguration configuration,
                           const CourseLimits& course, const ListLimits& lists,
                           std::shared_ptr<ServerState> state, Logger log)
    : core_(std::make_shared<Core>(executor, std::move(configuration), course, lists,
                                   std::move(state), std::move(log))) {
  core_->open();
}

HttpUpstream::~HttpUpstream() = default;

bool HttpUpstream::available() const {
  return core_->reached();
}

net::awaitable<Result<engine::ImportedTools>> HttpUpstream::list_tools() {
  const auto core = core_;
  co_return co_await asio::co_spawn(core->strand(), core->list(), asio::use_awaitable);
}

void HttpUpstream::start(std::shared_ptr<engine::Job> job) {
  asio::post(core_->strand(), [core = core_, job = std::move(job)] { core->accept(job); });
}

net::awaitable<Result<engine::Consulted>> HttpUpstream::consult(
    engine::Consultation asked, std::shared_ptr<engine::Withdrawal> withdrawal) {
  const auto core = core_;
  co_return co_await asio::co_spawn(
      core->strand(), core->consult(std::move(asked), std::move(withdrawal)), asio::use_awaitable);
}

net::awaitable<Result<void>> HttpUpstream::refollow() {
  const auto core = core_;
  co_return co_await asio::co_spawn(core->strand(), core->refollow(), asio::use_awaitable);
}

net::awaitable<void> HttpUpstream::drain(std::chrono::milliseconds grace) {
  const auto core = core_;
  co_await asio::co_spawn(core->strand(), core->drain(grace), asio::use_awaitable);
}

void HttpUpstream::close() {
  asio::post(core_->strand(), [core = core_] { core->shut(); });
}

}  // namespace interline::runtimes::mcp

#include "runtimes/mcp/stdio_upstream.hpp"

#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "runtimes/mcp/consulting.hpp"

namespace interline::runtimes::mcp {

StdioUpstream::StdioUpstream(const net::Executor& executor, ProcessConfiguration configuration,
                             Processes processes, Logger log)
    : processes_(std::move(processes)),
      pool_(std::make_shared<ProcessPool>(executor, std::move(configuration), std::move(log),
                                          [shared = processes_](ProcessWorker::Setup setup) {
                                            return std::make_shared<McpWorker>(std::move(setup),
                                                                               shared);
                                          })) {
  pool_->open();
}

net::awaitable<Result<engine::ImportedTools>> StdioUpstream::list_tools() {
  co_return co_await pool_->list_tools();
}

void StdioUpstream::start(std::shared_ptr<engine::Job> job) {
  pool_->start(std::move(job));
}

net::awaitable<void> StdioUpstream::drain(std::chrono::milliseconds grace) {
  co_await pool_->drain(grace);
}

/// A process that is ready to be asked.
net::awaitable<Result<std::shared_ptr<McpWorker>>> StdioUpstream::open_one(Pool pool) {
  for (;;) {
    auto somebody = pool->somebody();
    if (!somebody) co_return std::unexpected(std::move(somebody.error()));
    auto worker = std::static_pointer_cast<McpWorker>(*std::move(somebody));
    auto opened = co_await worker->opened();
    if (opened) co_return worker;
    if (!worker->to_be_opened_anew()) co_return std::unexpected(std::move(opened.error()));
  }
}

net::awaitable<Result<engine::Consulted>> StdioUpstream::consult_on_strand(
    Pool pool, Processes processes, engine::Consultation asked,
    std::shared_ptr<engine::Withdrawal> withdrawal) {
  const Patience patience(pool->strand(), std::move(withdrawal), asked.timeout);
  auto worker = co_await open_one(pool);
  if (!worker) co_return std::unexpected(std::move(worker.error()));
  auto consulted =
      co_await mcp::consult(*worker, std::move(asked), patience.stop(), processes->limits.lists);
  if (!consulted && consulted.error().kind == ErrorKind::conflict && patience.stop()->stopped()) {
    co_return fail(ErrorKind::unavailable, ErrorReason::expired,
                   "the MCP server did not answer in time");
  }
  co_return consulted;
}

net::awaitable<Result<engine::Consulted>> StdioUpstream::consult(
    engine::Consultation asked, std::shared_ptr<engine::Withdrawal> withdrawal) {
  co_return co_await boost::asio::co_spawn(
      pool_->strand(),
      consult_on_strand(pool_, processes_, std::move(asked), std::move(withdrawal)),
      boost::asio::use_awaitable);
}

net::awaitable<Result<void>> StdioUpstream::refollow_on_strand(Pool pool) {
  auto worker = co_await open_one(pool);
  if (!worker) co_return std::unexpected(std::move(worker.error()));
  if (!(*worker)->hello().features.resource_subscriptions) {
    co_return fail(ErrorKind::not_acceptable, "this MCP server tells nobody of changes");
  }
  for (const auto& one : pool->workers()) std::static_pointer_cast<McpWorker>(one)->refollow();
  co_return Result<void>();
}

net::awaitable<Result<void>> StdioUpstream::refollow() {
  co_return co_await boost::asio::co_spawn(pool_->strand(), refollow_on_strand(pool_),
                                           boost::asio::use_awaitable);
}

}  // namespace interline::runtimes::mcp

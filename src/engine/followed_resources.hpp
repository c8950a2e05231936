// Resources that somebody follows: a runtime is told of the first follower of each, and when the
// last one has gone; a runtime that takes another's place is told anew.
//
// What a runtime in another's place refuses is asked for again, later and later, as long as
// somebody follows it.
//
// One coroutine at a time talks to the runtime about a resource, and goes on until the runtime
// knows what is wanted; whoever begins to follow meanwhile waits for it.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "engine/engine.hpp"

namespace interline::engine {

/// Thread-safe. May outlive the engine, which stops it.
class FollowedResources : public std::enable_shared_from_this<FollowedResources> {
 public:
  struct Parts {
    boost::asio::any_io_executor executor;
    std::size_t most = 0;  ///< followers at once
    /// The runtime behind an endpoint now; null: none.
    std::function<std::shared_ptr<Runtime>(std::string_view endpoint)> runtime;
    /// Tells the runtime behind an endpoint, within a bounded time.
    std::function<awaitable<Result<void>>(std::string endpoint, std::string uri, bool follow)> tell;
    /// Until what was refused is asked for again; twice as long each time.
    std::chrono::milliseconds retry_first{1'000};
    std::chrono::milliseconds retry_longest{60'000};
  };
  explicit FollowedResources(Parts parts) : parts_(std::move(parts)) {}

  /// Errors: those of `tell`; resource_constraint (too_many); unavailable once it is stopped.
  [[nodiscard]] awaitable<Result<std::unique_ptr<Subscription>>> follow(std::string endpoint,
                                                                        std::string uri);
  [[nodiscard]] bool any(std::string_view endpoint) const;
  /// Another runtime may be behind the endpoint now.
  void lane_changed(std::string_view endpoint);
  /// Whoever waits is answered, and nothing is told any more.
  void stop();

 private:
  using Key = std::pair<std::string, std::string>;  // endpoint, URI
  using Resume = std::move_only_function<void(Result<void>)>;
  struct Followed {
    std::size_t followers = 0;
    std::shared_ptr<Runtime> told;  ///< knows that it is followed; null: none does
    bool busy = false;              ///< a coroutine talks to the runtime
    bool retrying = false;          ///< a coroutine waits to do so again
    std::vector<Resume> waiting;    ///< followers that are not answered yet
  };
  class Following;

  /// With the lock held, as all that takes an entry: whether the runtime knows what is wanted.
  [[nodiscard]] bool settled(const Key& key, Followed& entry) const;
  void talk(const Key& key, Followed& entry);
  [[nodiscard]] awaitable<void> talking(Key key);
  /// The next thing to be told; nothing: it is over, and who waited is answered.
  [[nodiscard]] bool next(const Key& key, bool& follow, std::shared_ptr<Runtime>& runtime);
  /// Whether there may be more to tell.
  [[nodiscard]] bool told(const Key& key, bool follow, std::shared_ptr<Runtime> runtime,
                          Result<void> answer);
  void unfollow(const Key& key);
  /// Until the runtime has taken it, or nobody follows it any more.
  [[nodiscard]] static awaitable<void> retry(std::weak_ptr<FollowedResources> of, Key key);
  /// Whether there is something to wait for.
  [[nodiscard]] bool try_again(const Key& key);

  const Parts parts_;
  mutable std::mutex mutex_;
  std::map<Key, Followed, std::less<>> followed_;  // guarded by mutex_, as below
  std::size_t followers_ = 0;
  bool stopped_ = false;
};

}  // namespace interline::engine

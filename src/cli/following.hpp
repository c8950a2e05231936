// A task followed to its end from the command line: progress, questions, Ctrl-C, and a gateway that
// goes away and comes back.
#pragma once

#include <optional>
#include <string>

#include "cli/control_client.hpp"
#include "cli/streams.hpp"

namespace interline::cli {

struct FollowOptions {
  FollowOptions() = default;

  bool answer = false;  ///< asks its questions at the terminal
  bool stay = false;    ///< goes on when a question is not asked here: another may answer
  bool cancel = false;  ///< the first Ctrl-C cancels the task; else it ends the following
  bool quiet = false;   ///< no progress; questions and trouble are said all the same
  bool entries_as_json =
      false;  ///< its entries from the first on, as lines of JSON on standard output
  /// How commands to answer and to watch this task begin and end.
  std::string answer_command;  ///< "interline tasks answer ID"
  std::string watch_command;   ///< "interline tasks watch ID"
  std::string options;         ///< " -c FILE", or ""
};

struct Followed {
  enum class End : std::uint8_t {
    settled,  ///< `task` says how
    waits,    ///< for an answer that was not given here; what to do was said
    left,     ///< by Ctrl-C, or for want of a gateway; where the task stands was said
  };
  End end = End::left;
  std::string task;  ///< JSON text, as the gateway shows it
};

/// Error: the task cannot be followed at all.
[[nodiscard]] net::awaitable<Result<Followed>> follow_task(const ControlClient& gateway,
                                                           Streams& io, std::string task,
                                                           FollowOptions options);

}  // namespace interline::cli

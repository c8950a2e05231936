// The terminal, as far as a conversation needs it: whether there is one, one line that is written
// over, lines that are typed, and Ctrl-C.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/streams.hpp"
#include "net/asio.hpp"

namespace interline::cli {

[[nodiscard]] bool input_is_terminal();
[[nodiscard]] bool output_is_terminal();

/// Progress on standard error: on a terminal one line, written over by the next; else a line each,
/// those that repeat the last one left out.
class ProgressLine {
 public:
  /// `quiet`: show() shows nothing.
  ProgressLine(Streams& io, bool quiet);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// `text` is printable.
  void show(const std::string& text);
  /// Takes the line away, before anything else is written.
  void clear();
  /// A line that stays.
  void say(const std::string& text);

 private:
  Streams& io_;
  const bool quiet_;
  const bool terminal_;
  bool shown_ = false;
  std::string last_;
};

/// Lines typed at the terminal, read only while somebody waits for them. Reads the terminal itself,
/// opened anew, so that no flag of the descriptors that we share with others changes.
class TypedLines {
 public:
  explicit TypedLines(const net::Executor& executor);
  ~TypedLines();

  /// The next line without its end; nothing at the end of input (Ctrl-D) or when it was stopped.
  [[nodiscard]] net::awaitable<std::optional<std::string>> next();
  void stop();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Ctrl-C while it lives.
class Interrupts {
 public:
  explicit Interrupts(const net::Executor& executor);
  ~Interrupts();
  [[nodiscard]] net::awaitable<void> next();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace interline::cli

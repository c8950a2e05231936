// What somebody waits for and no restart brings back: calls outside of tasks. A drain ends it when
// its time is over, a stop at once; whoever waits is answered then.
#pragma once

namespace interline::engine {

/// Any thread; whatever comes after the end does nothing.
class Attended {
 public:
  virtual ~Attended() = default;
  /// A drain's time is over: the work is told, and its caller answered.
  virtual void interrupt() = 0;
  /// As after a crash: only the caller is answered.
  virtual void abandon() = 0;
};

}  // namespace interline::engine

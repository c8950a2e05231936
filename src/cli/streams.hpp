// The standard streams of one run. Writing is checked: a full disk or a closed pipe ends in an exit
// code, not in silence.
#pragma once

#include <string>
#include <string_view>

namespace interline::cli {

/// Opens what the caller left closed of descriptors 0 to 2 in a way that reads nothing and refuses
/// writing, so that no file opened later is taken for one of them. Call it first of all.
void claim_standard_descriptors();

class Streams {
 public:
  /// Standard output, kept until flush() or the end of the run.
  void out(std::string_view text);
  /// Standard error, at once. What cannot be written there is lost: there is nowhere to say it.
  void err(std::string_view text);
  /// "interline: MESSAGE" on standard error, one line: control characters in it are escaped.
  void complain(std::string_view message);

  /// Writes what out() has kept. False once any of it could not be written; the reason is said on
  /// standard error, unless the reader of a pipe just went away.
  [[nodiscard]] bool flush();

 private:
  std::string kept_;
  bool failed_ = false;
};

}  // namespace interline::cli

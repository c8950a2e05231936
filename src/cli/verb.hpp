// What a verb of the command line is.
#pragma once

#include <memory>
#include <string>

#include "cli/arguments.hpp"
#include "cli/streams.hpp"

namespace interline::cli {

/// Exit codes, the same for every verb.
enum Exit : int {
  kOk = 0,
  kNo = 1,     ///< the answer is no, or it failed
  kUsage = 2,  ///< the command line, a file it names, or the configuration is wrong
};

/// One run of one verb: its members are its options.
class Verb {
 public:
  Verb() = default;
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;
  virtual ~Verb() = default;

  virtual void declare(Arguments& arguments) = 0;
  /// The exit code. Called once, after the arguments were read.
  virtual int run(Streams& io) = 0;
};

/// `name` is one word ("canon") or a group and a word ("schema check"); `examples` are whole
/// commands, one a line, shown under the help.
struct VerbRow {
  const char* name;
  const char* summary;
  const char* examples;
  std::unique_ptr<Verb> (*make)();
};

/// What `interline GROUP --help` says a group is for.
struct GroupRow {
  const char* name;
  const char* summary;
};

}  // namespace interline::cli

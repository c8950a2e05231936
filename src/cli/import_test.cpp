// `interline import`: tables on standard output, and what is not in them on standard error.
#include <gmock/gmock.h>

#include "cli/shell.hpp"

namespace interline::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Import = Shell;

TEST_F(Import, WhatIsLeftOutIsSaidOnStandardErrorToo) {
  write("mcp.json", R"({"mcpServers":{"a":{"command":"b","cwd":"/srv"},"c":{"args":[]}}})");
  const Ran ran = run("interline import mcp.json");
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out, StartsWith("# a: \"cwd\" was not taken over\n[[endpoint]]\nname = \"a\"\n"));
  EXPECT_THAT(ran.err, StartsWith("a: \"cwd\" was not taken over\nc: left out, it has no command"));
}

TEST_F(Import, NothingLeftOutIsSilent) {
  write("mcp.json", R"({"mcpServers":{"a":{"command":"b"}}})");
  EXPECT_EQ(run("interline import mcp.json").err, "");
  EXPECT_EQ(run("interline import nothing.json").code, 2);
}

TEST_F(Import, NamesThatWouldSteerATerminalAreEscaped) {
  write("mcp.json", R"({"mcpServers":{"\u001b[2J":{}}})");
  EXPECT_THAT(run("interline import mcp.json").err, HasSubstr("\\u{1b}[2J: left out"));
}

}  // namespace
}  // namespace interline::cli

// What holds for every verb: help with an example, exit codes, and errors that say where to look.
#include <map>
#include <string>

#include "cli/shell.hpp"
#include "cli/verbs.hpp"

namespace interline::cli {
namespace {

using Cli = Shell;

TEST_F(Cli, VersionIsPrinted) {
  const Ran ran = run("interline --version");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out.find("interline "), 0U);
  EXPECT_EQ(ran.err, "");
}

TEST_F(Cli, HelpNamesEveryVerb) {
  std::map<std::string, std::string> helps;  // by group, "" for what is in none
  for (const VerbRow& row : verbs()) {
    const std::string name(row.name);
    const auto space = name.find(' ');
    const std::string group = space == std::string::npos ? "" : name.substr(0, space);
    if (!helps.contains(group)) {
      const Ran ran = run("interline " + group + " --help");
      EXPECT_EQ(ran.code, 0);
      helps[group] = ran.out;
    }
    EXPECT_NE(helps[group].find("  " + name.substr(space + 1)), std::string::npos) << name;
  }
}

TEST_F(Cli, EveryVerbHasHelpWithAnExampleThatNamesIt) {
  for (const VerbRow& row : verbs()) {
    const Ran ran = run(std::string("interline ") + row.name + " --help");
    EXPECT_EQ(ran.code, 0) << row.name;
    const auto example = ran.out.find("Example:");
    ASSERT_NE(example, std::string::npos) << row.name;
    EXPECT_NE(ran.out.find(std::string("interline ") + row.name, example), std::string::npos);
  }
}

TEST_F(Cli, WrongUsageIsExitCodeTwoAndSaysWhereTheHelpIs) {
  struct Row {
    const char* command;
    const char* help;
  };
  for (const Row& row : {
           Row{"interline", "See interline --help"},
           Row{"interline cannon", "See interline --help"},
           Row{"interline cannon --help", "See interline --help"},
           Row{"interline --help cannon", "See interline --help"},
           Row{"interline schema none --help", "See interline schema --help"},
           Row{"interline --none", "See interline --help"},
           Row{"interline schema", "See interline schema --help"},
           Row{"interline schema none", "See interline schema --help"},
           Row{"interline canon --none", "See interline canon --help"},
           Row{"interline canon a b", "See interline canon --help"},
           Row{"interline canon --max-bytes 0", "See interline canon --help"},
           Row{"interline canon --max-bytes 1x", "See interline canon --help"},
           Row{"interline canon --max-bytes -1", "See interline canon --help"},
           Row{"interline canon --max-depth 1001", "See interline canon --help"},
           Row{"interline schema check", "See interline schema check --help"},
           Row{"interline schema check a --tool none", "See interline schema check --help"},
           Row{"interline schema validate a b --output none",
               "See interline schema validate --help"},
       }) {
    const Ran ran = run(row.command);
    EXPECT_EQ(ran.code, 2) << row.command;
    EXPECT_EQ(ran.out, "") << row.command;
    EXPECT_EQ(ran.err.find("interline: "), 0U) << row.command << ": " << ran.err;
    EXPECT_NE(ran.err.find(std::string(row.help) + "\n"), std::string::npos)
        << row.command << ": " << ran.err;
  }
}

TEST_F(Cli, AnUnknownVerbIsNamed) {
  EXPECT_EQ(run("interline cannon").err,
            "interline: there is no verb cannon\nSee interline --help\n");
  EXPECT_EQ(run("interline cannon --help").err, run("interline cannon").err);
}

TEST_F(Cli, HelpThatCannotBePrintedIsAFailure) {
  EXPECT_EQ(run("interline --help >/dev/full").code, 1);
}

}  // namespace
}  // namespace interline::cli

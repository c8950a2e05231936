// interline canon, as promised: RFC 8785 canonical form on standard output, its SHA-256 in
// Base64 on standard error.
#include <string>

#include "cli/shell.hpp"

namespace interline::cli {
namespace {

using Cli_Canon = Shell;

// printf '{"a":"\xe2\x82\xac","b":100}' | openssl dgst -sha256 -binary | base64
constexpr const char* kHash = "KJ2/c43ds27iwOag1dPE6lm7K0wC4smk+yxLal3EOIw=";

TEST_F(Cli_Canon, PrintsTheExactBytesAndTheHash) {
  write("in.json", "{ \"b\" : 1e2, \"a\" : \"\\u20ac\" }\n");
  const Ran ran = run("interline canon in.json");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "{\"a\":\"\xe2\x82\xac\",\"b\":100}");
  EXPECT_EQ(ran.err, std::string(kHash) + "\n");
}

TEST_F(Cli_Canon, HashIsThatOfTheBytesPrinted) {
  write("in.json", "[1.50, \"\\/\", {\"z\": null, \"\\ud83d\\ude00\": 2, \"\\ufb33\": 3}]");
  const Ran ran =
      run("interline canon in.json 2>said | sha256sum | cut -c1-64 >printed\n"
          "base64 -d said | od -An -tx1 | tr -d ' \\n' >expected; echo >>expected\n"
          "cmp printed expected");
  EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
}

TEST_F(Cli_Canon, ReadsStandardInputForADashAndForNothing) {
  EXPECT_EQ(run("printf '[1.0]' | interline canon -").out, "[1]");
  EXPECT_EQ(run("printf '[1.0]' | interline canon").out, "[1]");
  EXPECT_EQ(run("(printf '['; printf '1.0]') | cat | interline canon").out, "[1]");
}

TEST_F(Cli_Canon, JsonFlagPutsBothIntoOneObject) {
  const Ran ran = run("printf '{\"b\":1e2,\"a\":\"\\\\u20ac\"}' | interline canon --json");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, std::string(R"({"canonical":"{\"a\":\")") + "\xe2\x82\xac" +
                         R"(\",\"b\":100}","sha256":")" + kHash + "\"}\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(Cli_Canon, MalformedTextSaysWhereAndNothingOfTheContent) {
  write("in.json", "{\n  \"secret\": hunter2\n}");
  const Ran ran = run("interline canon in.json");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("interline: in.json: line 2, column 13: "), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.find("hunter2"), std::string::npos);
  EXPECT_EQ(ran.err.find("secret"), std::string::npos);
}

TEST_F(Cli_Canon, WhatIJsonRefusesIsRefusedWithAdvice) {
  struct Row {
    const char* text;
    const char* advice;
  };
  for (const Row& row : {
           Row{R"({"a":1,"\u0061":2})", "keep one of the members"},
           Row{R"(["\ud800"])", "no Unicode character has that escape"},
           Row{"[1e400]", "write such a number as a string"},
           Row{"[1] [2]", "one JSON value a text"},
           Row{"[\"\xff\"]", "convert the text to UTF-8"},
           Row{"[1", "the text was cut short"},
       }) {
    write("in.json", row.text);
    const Ran ran = run("interline canon in.json");
    EXPECT_EQ(ran.code, 1) << row.text;
    EXPECT_EQ(ran.out, "") << row.text;
    EXPECT_NE(ran.err.find(row.advice), std::string::npos) << row.text << ": " << ran.err;
  }
}

TEST_F(Cli_Canon, EmptyInputIsNoJson) {
  EXPECT_EQ(run("interline canon </dev/null").code, 1);
}

TEST_F(Cli_Canon, AnUnreadableFileIsAnErrorOfUsage) {
  for (const char* path : {"none.json", ".", "none/none.json"}) {
    const Ran ran = run(std::string("interline canon ") + path);
    EXPECT_EQ(ran.code, 2) << path;
    EXPECT_NE(ran.err.find(std::string(path) + ": cannot be read: "), std::string::npos) << ran.err;
  }
}

TEST_F(Cli_Canon, OversizedInputNamesTheLimitAndTheOption) {
  const std::string make = "head -c 1048577 /dev/zero | tr '\\0' ' ' >big; printf '[]' >>big; ";
  const Ran refused = run(make + "interline canon big");
  EXPECT_EQ(refused.code, 1);
  EXPECT_EQ(refused.err,
            "interline: big: more than 1048576 bytes; raise the limit with --max-bytes\n");
  EXPECT_EQ(run(make + "interline canon --max-bytes 2000000 big").out, "[]");
}

TEST_F(Cli_Canon, InputWithoutEndIsReadUpToTheLimitOnly) {
  EXPECT_EQ(run("yes | interline canon --max-bytes 1000").code, 1);
}

TEST_F(Cli_Canon, CountsGrowWithTheBytesAllowed) {
  // 600,000 elements: more than the default limit of an array.
  const std::string make =
      "(printf '[1'; yes ,1 | head -n 599999 | tr -d '\\n'; printf ']') >big; ";
  EXPECT_EQ(run(make + "interline canon --max-bytes 1300000 big | wc -c").out, "1200001\n");
}

TEST_F(Cli_Canon, DepthNamesItsOption) {
  const std::string make =
      "(head -c 65 /dev/zero | tr '\\0' '['; head -c 65 /dev/zero | tr '\\0' ']') >deep; ";
  const Ran refused = run(make + "interline canon deep");
  EXPECT_EQ(refused.code, 1);
  EXPECT_NE(refused.err.find("--max-depth"), std::string::npos) << refused.err;
  EXPECT_EQ(run(make + "interline canon --max-depth 65 deep").code, 0);
}

TEST_F(Cli_Canon, AClosedStandardOutputIsAFailure) {
  const Ran ran = run("printf '[]' | interline canon >&-");
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("cannot write to standard output"), std::string::npos) << ran.err;
}

TEST_F(Cli_Canon, AFullDiskIsAFailure) {
  const Ran ran = run("printf '[]' | interline canon >/dev/full");
  EXPECT_EQ(ran.code, 1);
  EXPECT_NE(ran.err.find("No space left on device"), std::string::npos) << ran.err;
}

TEST_F(Cli_Canon, AReaderThatWentAwayEndsItQuietly) {
  // The reader is gone before the program starts to write: it waits for the file that says so.
  const Ran ran =
      run("mkfifo pipe\n"
          "(while [ ! -e gone ]; do :; done; printf '[]' | interline canon >&3; echo $? >code) "
          "3>pipe &\n"
          "exec 4<pipe; exec 4<&-; : >gone; wait; cat code");
  EXPECT_EQ(ran.out, "1\n");
  EXPECT_EQ(ran.err, "");
}

TEST_F(Cli_Canon, ClosedStandardInputAndErrorDoNoHarm) {
  EXPECT_EQ(run("interline canon <&-").code, 1);
  write("in.json", "[1.0]");
  const Ran ran = run("interline canon in.json 2>&-");
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(ran.out, "[1]");
}

}  // namespace
}  // namespace interline::cli

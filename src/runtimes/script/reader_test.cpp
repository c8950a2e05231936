#include "runtimes/script/reader.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "runtimes/script/test_agent.hpp"

namespace interline::runtimes::script {
namespace {

using testing::agent;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::mistakes;

TEST(ScriptReader, AToolBecomesItsDefinition) {
  const auto read = agent(R"toml(
[[tool]]
name = "greet"
title = "Greet"
description = "Says hello."
input_schema = { type = "object", properties = { name = { type = "string" } }, required = ["name"] }
annotations = { readOnlyHint = true }
task = "forbidden"
meta = { "example.org/x" = 1 }
steps = [{ text = "Hello, ${arguments.name}!" }]
)toml");
  EXPECT_EQ(
      read->tools.front().definition,
      R"({"name":"greet","title":"Greet","description":"Says hello.",)"
      R"("inputSchema":{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]},)"
      R"("annotations":{"readOnlyHint":true},"execution":{"taskSupport":"forbidden"},)"
      R"("_meta":{"example.org/x":1},)"
      R"("urn:xmpp:agent-api:0":{"supportsCancellation":true,"supportsInput":false,)"
      R"("supportsProgress":false}})");
}

TEST(ScriptReader, ASchemaThatIsATextKeepsItsBytes) {
  const std::string schema =
      R"({"type":"object", "properties" : {"n":{"const":1.00}},"allOf":[ true ]})";
  const auto toml = agent("[[tool]]\nname = \"t\"\ninput_schema = '''\n" + schema + "\n'''\n");
  EXPECT_THAT(toml->tools.front().definition, HasSubstr("\"inputSchema\":" + schema + ","));
  const auto json = agent(R"({"tool":[{"name":"t","input_schema":)" + schema + "}]}", Format::json);
  EXPECT_THAT(json->tools.front().definition, HasSubstr("\"inputSchema\":" + schema + ","));
}

TEST(ScriptReader, ASchemaThatCannotBeRegisteredIsAMistake) {
  EXPECT_THAT(mistakes("[[tool]]\nname = \"t\"\ninput_schema = { type = \"objekt\" }\n"),
              ElementsAre(HasSubstr("3: tool \"t\": input_schema is no schema of a tool: ")));
  EXPECT_THAT(mistakes("[[tool]]\nname = \"t\"\ninput_schema = { type = \"string\" }\n"),
              ElementsAre(HasSubstr("3: tool \"t\": input_schema is no schema of a tool: ")));
  EXPECT_THAT(mistakes("[[tool]]\nname = \"t\"\noutput_schema = '{\"minimum\":\"1\"}'\n"),
              ElementsAre(HasSubstr("3: tool \"t\": output_schema is no schema of a tool: ")));
}

TEST(ScriptReader, ASchemaOfDraft07IsTakenAsItIsUpgraded) {
  const std::string draft = R"("$schema":"http://json-schema.org/draft-07/schema#")";
  const auto with = [&draft](const std::string& more) {
    return mistakes("[[tool]]\nname = \"t\"\ninput_schema = '{" + draft + more + "}'\n");
  };
  EXPECT_THAT(with(R"(,"type":"object","properties":{"a":{"items":[true]}})"), ElementsAre());
  EXPECT_THAT(with(R"(,"type":"objekt")"), ElementsAre(HasSubstr("is no schema of a tool")));
}

TEST(ScriptReader, AStreamThatIsCutIsAHintInTheMetadata) {
  const auto read = agent("[[tool]]\nname = \"t\"\ncut_stream = \"500ms\"\nmeta = { a = 1 }\n");
  EXPECT_THAT(read->tools.front().definition,
              HasSubstr(R"("_meta":{"a":1,"interline/cutStream":{"retryMs":500}})"));
}

TEST(ScriptReader, PromptsAndResourcesBecomeTheirDefinitions) {
  const auto read = agent(R"toml(
[[prompt]]
name = "p"
description = "A prompt."
arguments = [{ name = "city", description = "Which.", required = true, complete = ["Riga"] }, { name = "day" }]
messages = [{ user = "Weather in ${arguments.city}" }]

[[resource]]
uri = "notes://today"
name = "today"
mime_type = "text/plain"
text = "Nothing."

[[resource_template]]
uri_template = "notes://{day}"
name = "a day"
json = { day = "${variables.day}" }
complete = { day = ["monday"] }
)toml");
  EXPECT_EQ(read->prompts.front().definition,
            R"({"name":"p","description":"A prompt.","arguments":[)"
            R"({"name":"city","description":"Which.","required":true},{"name":"day"}]})");
  EXPECT_EQ(read->resources.front().definition,
            R"({"uri":"notes://today","name":"today","mimeType":"text/plain"})");
  EXPECT_EQ(read->templates.front().definition,
            R"({"uriTemplate":"notes://{day}","name":"a day","mimeType":"application/json"})");
}

TEST(ScriptReader, EveryMistakeIsNamedWithItsLine) {
  EXPECT_THAT(
      mistakes(R"toml([agent]
nmae = "x"
[[tool]]
title = 5
[[tool]]
name = "t"
task = "sometimes"
steps = [
  { wait = "soon" },
  { text = "a", log = "b" },
  { text = "${city}" },
  { image = "none.png" },
  { progress = 101 },
  { protocol_error = { message = "no" } },
  { ask = {} },
  { ask = { q = { form = "?", schema = { type = 5 } } } },
  { text = "x", when = { answerable = "smell" } },
  { nothing = 1 },
]
[[tool]]
name = "t"
[[resource]]
uri = "no uri"
name = "r"
base64 = "%%"
mime_type = "image/png"
)toml"),
      ElementsAre(
          "2: [agent]: has an unknown key: \"nmae\"", "3: [[tool]]: needs name",
          "4: [[tool]]: title is wrong: expected a text",
          HasSubstr("9: tool \"t\" steps[1]: wait is wrong: expected a duration"),
          "10: tool \"t\" steps[2]: expected only one of text, image, audio, resource, "
          "resource_link, ask, structured, wait, progress, log, change, tool_error, protocol_error",
          HasSubstr("11: tool \"t\" steps[3]: ${city} names nothing"),
          "12: there is no file none.png",
          "13: tool \"t\" steps[5]: progress is wrong: expected a number from 0 to 100",
          HasSubstr("14: tool \"t\" steps[6] protocol_error: needs code"),
          HasSubstr("15: tool \"t\" steps[7]: ask is wrong: expected a table of questions"),
          HasSubstr(
              "16: tool \"t\" steps[8] question \"q\": schema is wrong: expected a JSON Schema"),
          HasSubstr("17: tool \"t\" steps[9] when: answerable is wrong: expected one of form, url"),
          HasSubstr("18: tool \"t\" steps[10]: expected one of text"),
          "18: tool \"t\" steps[10]: has an unknown key: \"nothing\"",
          "7: tool \"t\": task is wrong: expected one of forbidden, optional, required",
          HasSubstr("20: [[tool]]: another one is called \"t\""),
          HasSubstr("23: resource \"no uri\": uri is wrong: expected a URI"),
          HasSubstr("25: resource \"no uri\": base64 is wrong")));
}

TEST(ScriptReader, BeforeACallThereAreQuestionsAlone) {
  EXPECT_THAT(mistakes("[[tool]]\nname = \"t\"\nprepare = [{ text = \"a\" }]\n"),
              ElementsAre("3: tool \"t\" prepare[1]: expected one of ask",
                          "3: tool \"t\" prepare[1]: has an unknown key: \"text\""));
}

TEST(ScriptReader, ItKeepsToAFewMistakes) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "[[tool]]\n";
  EXPECT_EQ(mistakes(text).size(), Reading::kMostMistakes);
}

TEST(ScriptReader, AFileIsAnotherAgentOnceItOrWhatItNamesHasChanged) {
  std::string pattern = std::filesystem::temp_directory_path() / "interline-script-XXXXXX";
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path folder = pattern;
  std::ofstream(folder / "agent.toml")
      << "[[resource]]\nuri = \"a:b\"\nname = \"n\"\nfile = \"note.txt\"\n";
  std::ofstream(folder / "note.txt") << "one";
  const auto first = read_agent(folder / "agent.toml");
  const auto again = read_agent(folder / "agent.toml");
  std::ofstream(folder / "note.txt") << "two";
  const auto changed = read_agent(folder / "agent.toml");
  const auto missing = read_agent(folder / "none.toml");
  const auto no_file = read_agent(folder);
  std::filesystem::remove_all(folder);
  ASSERT_TRUE(first && again && changed);
  EXPECT_EQ(first->digest, again->digest);
  EXPECT_NE(first->digest, changed->digest);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().front().text, HasSubstr("there is no file"));
  EXPECT_FALSE(no_file);
}

}  // namespace
}  // namespace interline::runtimes::script

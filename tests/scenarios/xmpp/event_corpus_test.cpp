// Whatever the engine writes as the body of an event is one by the specification's own schema, also
// where a tool says too much; on a generated corpus. And that schema is the specification's.
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "base/bytes.hpp"
#include "base/clock.hpp"
#include "base/sanitized.hpp"
#include "base/sha256.hpp"
#include "bindings/xmpp/event_projection.hpp"
#include "bindings/xmpp/outgoing.hpp"
#include "bindings/xmpp/xml_writer.hpp"
#include "engine/result_check.hpp"
#include "event_schemas.hpp"
#include "tasks/event_body.hpp"

namespace interline::testing {
namespace {

class Generator {
 public:
  [[nodiscard]] std::size_t below(std::size_t limit) { return random_() % limit; }
  [[nodiscard]] bool coin() { return below(2) == 0; }
  /// Lengths around the schema's limits, and characters of every size.
  [[nodiscard]] std::string text(std::size_t least = 0) {
    static constexpr std::size_t kLengths[] = {0, 1, 255, 256, 257, 4'095, 4'096, 4'097, 6'000};
    static constexpr std::string_view kCharacters[] = {"a",      "\"",     "\\",     "\n",
                                                       "\x01",   "\u00e9", "\u20ac", "\U0001F600",
                                                       "\uffff", "\ufffe", "<",      "&"};
    const std::size_t length = std::max(least, kLengths[below(std::size(kLengths))]);
    std::string made;
    for (std::size_t i = 0; i < length; ++i) made += kCharacters[below(std::size(kCharacters))];
    return made;
  }
  [[nodiscard]] std::optional<std::string> maybe_text() {
    return coin() ? std::optional(text()) : std::nullopt;
  }
  [[nodiscard]] tasks::InputRequest request() {
    tasks::InputRequest made;
    made.id = "request-of-a-corpus-0000" + std::to_string(below(1'000));
    for (std::size_t i = 1 + below(3); i > 0; --i) {
      tasks::Question question;
      question.id = "question-of-a-corpus-" + std::to_string(i);
      if (coin()) question.key = "key \"" + std::to_string(i);
      question.text = text();
      if (coin()) question.schema = R"({"type":"string","$defs":{"a":{}}})";
      if (coin()) question.url = "https://example.test/";
      if (coin()) question.expires_at = SystemTime(std::chrono::hours(below(1'000'000)));
      made.questions.push_back(std::move(question));
    }
    return made;
  }

 private:
  std::mt19937_64 random_{1};
};

void check(const EventSchemas& schemas, const std::string& type, const std::string& body) {
  const std::string sent = xmpp::project_body(type == "completed", body);
  EXPECT_TRUE(schemas.holds(type, body) || type == "completed") << type << ": " << body;
  EXPECT_TRUE(schemas.holds(type, sent)) << type << ": " << sent;
  EXPECT_TRUE(xmpp::is_xml_text(sent)) << sent;
}

TEST(XmppChecklist, C13_083_EveryBodyOfAnEventIsOneByTheSpecificationsSchema) {
  const EventSchemas schemas;
  Generator any;
  for (int i = 0; i < cases(2'000); ++i) {
    const SystemTime time{std::chrono::milliseconds(any.below(4'000'000'000'000))};
    const auto state = any.coin() ? tasks::State::running : tasks::State::cancelling;
    check(schemas, "status", tasks::status_body(state, time));
    const double percent = static_cast<double>(any.below(100'001)) / 1'000;
    check(schemas, "progress", tasks::progress_body(percent, any.maybe_text(), any.maybe_text()));
    check(schemas, "input_required", tasks::input_required_body(any.request()));
    tasks::Failure failure("interline:corpus", any.text(), any.coin());
    if (any.coin()) failure.details = R"({"a":[1]})";
    check(schemas, "failed", tasks::failed_body(failure));
    check(schemas, "cancelled", tasks::cancelled_body(any.maybe_text()));
    std::string result = R"({"content":[{"type":"text","text":"x"}])";
    if (any.coin()) result += R"(,"structuredContent":[1,null])";
    if (any.coin()) result += R"(,"isError":true)";
    if (any.coin()) result += R"(,"_meta":{"b":1})";
    if (any.coin()) result += R"(,"task":{"id":1},"\uffff":2)";
    check(schemas, "completed", tasks::completed_body(result + "}", any.maybe_text()));
  }
}

std::string repeated(std::string_view what, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += what;
  return text;
}

TEST(XmppChecklist, C13_126_WhatIsToldOfATaskFitsTheSmallestStanzaAtItsLongest) {
  constexpr std::size_t kMost = xmpp::OutgoingStanza::kLeastBytes;
  for (const std::string_view each : {"\"", "\\", "\x01", "&", "\U0001F600", "\uffff", "x"}) {
    const std::string text = repeated(each, 5'000);
    EXPECT_TRUE(xmpp::fits_stanza(false, tasks::progress_body(0.123456789, text, text), kMost));
    EXPECT_TRUE(xmpp::fits_stanza(false, tasks::cancelled_body(text), kMost));
    for (const std::string_view in_details : {"\"\",", "\"&&&&&&&&&&&&&&&&&&&\","}) {
      const std::size_t fitting = (4'096 - 8) / in_details.size();
      tasks::Failure failure("a:" + std::string(200, 'c'), text, false);
      failure.details = R"({"a":[)" + repeated(in_details, fitting);
      failure.details.back() = ']';
      failure.details += '}';
      const tasks::Failure shown = engine::safe_failure(std::move(failure));
      EXPECT_FALSE(shown.details.empty());
      EXPECT_TRUE(xmpp::fits_stanza(false, tasks::failed_body(shown), kMost)) << each;
    }
  }
}

// The text of the specification is not ours to keep here: its blocks are known by their hashes.
TEST(XmppChecklist, C13_139_TheSchemasAreTheBlocksOfTheSpecification) {
  const std::pair<std::string_view, std::string_view> blocks[] = {
      {"agent-api.xsd", "b5a6749990069e2c20aeff8b7ce2a5175ca08f0e86cb4ad8c95deed4241efd15"},
      {"agent-task.xsd", "9b9cb78e2c260f341bd856af590bee4da34f79a7d396d01834e36433fb99c61d"},
      {"event.schema.json", "9f97eeedc6c9310978f5768c4534df06bf92d150f0b1644380b3311ceff47f3c"},
      {"manifest.schema.json", "72dd3e6495f97bc2bdebaacf8211df5924e1a27b128f4e96ad5376571431d7d1"},
  };
  for (const auto& [name, hash] : blocks) {
    std::ifstream file(INTERLINE_SOURCE_DIR "/tests/vectors/xmpp/" + std::string(name),
                       std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(to_hex(BytesView(sha256(bytes))), hash) << name;
  }
}

}  // namespace
}  // namespace interline::testing

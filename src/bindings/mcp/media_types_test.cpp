#include "bindings/mcp/media_types.hpp"

#include <gtest/gtest.h>

namespace interline::mcp {
namespace {

net::http::Fields fields_of(std::string_view name, std::string_view value) {
  net::http::Fields fields;
  fields.add(name, value);
  return fields;
}

TEST(McpMediaTypes, JsonIsJsonWithWhateverParameters) {
  for (const char* type : {"application/json", "Application/JSON ; charset=utf-8",
                           "application/json;charset=\"UTF-8\"", "application/json; profile=x"}) {
    EXPECT_EQ(why_not_json(fields_of("content-type", type)), "") << type;
  }
  for (const char* type : {"application/json5", "text/plain", "application/json; charset=utf-16",
                           "application/json; a=b; Charset=\"latin1\"", ""}) {
    EXPECT_NE(why_not_json(fields_of("Content-Type", type)), "") << type;
  }
  EXPECT_NE(why_not_json(net::http::Fields()), "");
}

TEST(McpMediaTypes, ABodyComesAsItIs) {
  for (const char* coding : {"identity", "Identity, identity", ""}) {
    auto fields = fields_of("Content-Type", "application/json");
    fields.add("Content-Encoding", coding);
    EXPECT_EQ(why_not_json(fields), "") << coding;
  }
  for (const char* coding : {"gzip", "identity, br"}) {
    auto fields = fields_of("Content-Type", "application/json");
    fields.add("Content-Encoding", coding);
    EXPECT_NE(why_not_json(fields), "") << coding;
  }
}

TEST(McpMediaTypes, AcceptHasRangesAndWeights) {
  struct Row {
    std::string_view accept;
    bool json;
    bool events;
  };
  constexpr Row kRows[] = {
      {"application/json, text/event-stream", true, true},
      {"*/*", true, true},
      {"application/*", true, false},
      {"text/*;q=0.5", false, true},
      {"application/json;q=0, */*", false, true},
      {"*/*, text/event-stream; q=0.0", true, false},
      {"text/html", false, false},
      {"TEXT/EVENT-STREAM;charset=utf-8", false, true},
  };
  for (const Row& row : kRows) {
    const Accepted accepted = accepted_types(fields_of("Accept", row.accept));
    EXPECT_EQ(accepted.json, row.json) << row.accept;
    EXPECT_EQ(accepted.events, row.events) << row.accept;
  }
  EXPECT_TRUE(accepted_types(net::http::Fields()).json);
}

}  // namespace
}  // namespace interline::mcp

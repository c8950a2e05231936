// 2026-07-28, basic/transports/streamable-http, "Custom Headers from Tool Parameters"; checklist 47
// to 49.
#include "protocols/mcp/param_headers.hpp"

#include <map>
#include <string>

#include <gtest/gtest.h>

#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

using testing::parse;

ParamHeaders read(std::string_view schema) {
  const auto document = parse(schema);
  return read_param_headers(document.root());
}

std::string fault(std::string_view schema) {
  const ParamHeaders headers = read(schema);
  return headers.faults.size() == 1 && headers.headers.empty() ? headers.faults[0].location
                                                               : "not one fault";
}

constexpr std::string_view kSchema = R"({"type":"object","properties":{
  "region":{"type":"string","x-mcp-header":"Region"},
  "plain":{"type":"string"},
  "where":{"type":"object","properties":{"floor":{"type":"integer","x-mcp-header":"Floor"}}},
  "fast":{"type":"boolean","x-mcp-header":"Fast"},
  "x-mcp-header":{"type":"string"}}})";

TEST(Mcp_ParamHeaders, ValidAnnotationsAreFoundInTheOrderOfTheSchema) {
  const ParamHeaders headers = read(kSchema);
  EXPECT_TRUE(headers.faults.empty());
  ASSERT_EQ(headers.headers.size(), 3U);
  EXPECT_EQ(headers.headers[0].header(), "Mcp-Param-Region");
  EXPECT_EQ(headers.headers[1].path, (std::vector<std::string>{"where", "floor"}));
  EXPECT_EQ(headers.headers[1].type, ParamHeader::Type::integer);
  EXPECT_EQ(headers.headers[2].name, "Fast");
}

TEST(Mcp_ParamHeaders, NamesThatAreNoTokensAreInvalid) {
  for (const std::string_view name :
       {R"("")", R"("a b")", R"("a:b")", R"("a\r\nb")", R"("ä")", "7", "null", R"(["A"])"}) {
    EXPECT_EQ(
        fault(R"({"properties":{"a":{"type":"string","x-mcp-header":)" + std::string(name) + "}}}"),
        "/properties/a")
        << name;
  }
  EXPECT_EQ(read(R"({"properties":{"a":{"type":"string","x-mcp-header":"!#$%&'*+-.^_`|~aZ9"}}})")
                .headers.size(),
            1U);
}

TEST(Mcp_ParamHeaders, TypesThatAreNotPrimitiveAreInvalid) {
  for (const std::string_view type :
       {R"("type":"number",)", R"("type":"null",)", R"("type":"object",)", R"("type":"array",)", "",
        R"("type":["string","null"],)"}) {
    EXPECT_EQ(fault(R"({"properties":{"a":{)" + std::string(type) + R"("x-mcp-header":"A"}}})"),
              "/properties/a")
        << type;
  }
}

TEST(Mcp_ParamHeaders, OnlyAChainOfPropertiesReachesAnArgument) {
  const std::string_view annotated = R"({"type":"string","x-mcp-header":"A"})";
  struct Form {
    std::string_view before;
    std::string_view after;
    std::string_view location;
  };
  for (const Form& form : {
           Form{R"({"properties":{"l":{"items":)", "}}}", "/properties/l/items"},
           Form{R"({"properties":{"l":{"prefixItems":[)", "]}}}", "/properties/l/prefixItems/0"},
           Form{R"({"items":[true,)", "]}", "/items/1"},
           Form{R"({"contains":)", "}", "/contains"},
           Form{R"({"additionalProperties":)", "}", "/additionalProperties"},
           Form{R"({"patternProperties":{"^a":)", "}}", "/patternProperties/^a"},
           Form{R"({"oneOf":[)", "]}", "/oneOf/0"},
           Form{R"({"anyOf":[{},)", "]}", "/anyOf/1"},
           Form{R"({"allOf":[{"properties":{"a":)", "}}]}", "/allOf/0/properties/a"},
           Form{R"({"not":)", "}", "/not"},
           Form{R"({"if":)", "}", "/if"},
           Form{R"({"then":)", "}", "/then"},
           Form{R"({"else":{"properties":{"a":)", "}}}", "/else/properties/a"},
           Form{R"({"$defs":{"d~/":)", "}}", "/$defs/d~0~1"},
           Form{R"({"definitions":{"d":)", "}}", "/definitions/d"},
           Form{R"({"dependentSchemas":{"d":)", "}}", "/dependentSchemas/d"},
           Form{R"({"propertyNames":)", "}", "/propertyNames"},
           Form{R"({"unevaluatedProperties":)", "}", "/unevaluatedProperties"},
       }) {
    EXPECT_EQ(fault(std::string(form.before) + std::string(annotated) + std::string(form.after)),
              form.location);
  }
  EXPECT_EQ(fault(annotated), "");  // the root is no argument
}

TEST(Mcp_ParamHeaders, DataThatLooksLikeAnAnnotationIsNone) {
  const ParamHeaders headers =
      read(R"({"properties":{"a":{"type":"string","default":{"x-mcp-header":"A"},
            "enum":[{"x-mcp-header":7}],"examples":[{"x-mcp-header":"B"}]}},
            "const":{"x-mcp-header":""}})");
  EXPECT_TRUE(headers.headers.empty());
  EXPECT_TRUE(headers.faults.empty());
}

TEST(Mcp_ParamHeaders, ANameTwiceIsWrongInBothPlaces) {
  const ParamHeaders headers = read(R"({"properties":{"a":{"type":"string","x-mcp-header":"Same"},
            "b":{"type":"string","x-mcp-header":"sAME"},
            "c":{"type":"string","x-mcp-header":"Other"}}})");
  ASSERT_EQ(headers.headers.size(), 1U);
  EXPECT_EQ(headers.headers[0].name, "Other");
  EXPECT_EQ(headers.faults.size(), 2U);
}

TEST(Mcp_ParamHeaders, ManyAndDeepOnesAreBounded) {
  std::string wide = R"({"properties":{)";
  for (int i = 0; i < 200; ++i) {
    const std::string n = std::to_string(i);
    wide += (i == 0 ? "\"p" : ",\"p") + n + R"(":{"type":"string","x-mcp-header":"H)" + n + "\"}";
  }
  const ParamHeaders headers = read(wide + "}}");
  EXPECT_EQ(headers.headers.size(), kMaxParamHeaders);
  EXPECT_EQ(headers.faults.size(), kMaxParamHeaderFaults);
  std::string deep;
  for (int i = 0; i < 100; ++i) deep += R"({"properties":{"a":)";
  deep += R"({"type":"string","x-mcp-header":"D"})";
  for (int i = 0; i < 100; ++i) deep += "}}";
  ASSERT_EQ(read(deep).headers.size(), 1U);
  EXPECT_EQ(read(deep).headers[0].path.size(), 100U);
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

Result<Pairs> mirrored(std::string_view arguments) {
  const auto document = parse(arguments);
  return mirrored_headers(read(kSchema), document.root());
}

TEST(Mcp_ParamHeaders, ArgumentsAreMirrored) {
  EXPECT_EQ(mirrored(R"({"region":"Zürich","where":{"floor":-7},"fast":false})"),
            (Pairs{{"Mcp-Param-Region", "=?base64?WsO8cmljaA==?="},
                   {"Mcp-Param-Floor", "-7"},
                   {"Mcp-Param-Fast", "false"}}));
  EXPECT_EQ(mirrored(R"({"where":{"floor":42.0}})"), (Pairs{{"Mcp-Param-Floor", "42"}}));
}

TEST(Mcp_ParamHeaders, AbsentAndNullArgumentsHaveNoHeader) {
  EXPECT_EQ(mirrored("{}"), Pairs{});
  EXPECT_EQ(mirrored(R"({"region":null,"where":null,"fast":null})"), Pairs{});
  EXPECT_EQ(mirrored(R"({"region":7,"where":"x"})"), Pairs{});  // the schema's matter
}

TEST(Mcp_ParamHeaders, IntegersBeyondTheSafeRangeAreRefused) {
  EXPECT_TRUE(mirrored(R"({"where":{"floor":9007199254740991}})"));
  EXPECT_FALSE(mirrored(R"({"where":{"floor":9007199254740992}})"));
  EXPECT_FALSE(mirrored(R"({"where":{"floor":-9007199254740992}})"));
}

std::optional<std::string> mismatch(std::string_view arguments,
                                    const std::map<std::string, std::string>& sent) {
  const auto document = parse(arguments);
  return param_header_mismatch(read(kSchema), document.root(),
                               [&sent](std::string_view name) -> std::optional<std::string_view> {
                                 const auto found = sent.find(std::string(name));
                                 if (found == sent.end()) return std::nullopt;
                                 return found->second;
                               });
}

TEST(Mcp_ServerValidation, HeadersSayWhatTheArgumentsSay) {
  EXPECT_FALSE(mismatch(R"({"region":"eu"})", {{"Mcp-Param-Region", " eu "}}));
  EXPECT_FALSE(mismatch(R"({"region":"ä"})", {{"Mcp-Param-Region", "=?base64?w6Q=?="}}));
  EXPECT_FALSE(mismatch(R"({"region":""})", {{"Mcp-Param-Region",
                                              "=?base64?"
                                              "?="}}));
  EXPECT_FALSE(mismatch(R"({"region":""})", {{"Mcp-Param-Region", ""}}));
  EXPECT_FALSE(mismatch("{}", {{"Mcp-Param-Unknown", "x"}}));
  EXPECT_EQ(mismatch(R"({"region":"eu"})", {}), "Mcp-Param-Region is missing.");
  EXPECT_EQ(mismatch(R"({"region":"eu"})", {{"Mcp-Param-Region", "EU"}}),
            "Mcp-Param-Region differs from the argument it mirrors.");
  EXPECT_EQ(mismatch(R"({"region":"eu"})", {{"Mcp-Param-Region", "=?base64?!?="}}),
            "Mcp-Param-Region is not well-formed.");
  EXPECT_TRUE(mismatch("{}", {{"Mcp-Param-Region", "eu"}}));
  EXPECT_TRUE(mismatch(R"({"region":null})", {{"Mcp-Param-Region", "eu"}}));
  EXPECT_TRUE(mismatch(R"({"region":7})", {{"Mcp-Param-Region", "7"}}));
  EXPECT_FALSE(mismatch(R"({"region":7})", {}));
}

TEST(Mcp_ServerValidation, IntegersCompareAsNumbers) {
  for (const std::string same : {"42", "42.0", "4.2e1", "420e-1"}) {
    EXPECT_FALSE(mismatch(R"({"where":{"floor":42}})", {{"Mcp-Param-Floor", same}})) << same;
    EXPECT_FALSE(mismatch(R"({"where":{"floor":42.0}})", {{"Mcp-Param-Floor", same}})) << same;
  }
  for (const std::string other : {"43", "42.5", "0x2A", "+42", "", "042", "\"42\""}) {
    EXPECT_TRUE(mismatch(R"({"where":{"floor":42}})", {{"Mcp-Param-Floor", other}})) << other;
  }
  EXPECT_TRUE(mismatch(R"({"fast":true})", {{"Mcp-Param-Fast", "True"}}));
}

}  // namespace
}  // namespace interline::protocols::mcp

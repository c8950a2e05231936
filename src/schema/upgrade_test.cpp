#include "schema/upgrade.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace interline::schema {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

json::Document parsed(std::string_view text) {
  json::Limits limits;
  limits.depth = 1'000;
  limits.bytes = 64U << 20U;
  auto document = json::parse(std::string(text), limits);
  EXPECT_TRUE(document) << text;
  return std::move(document.value());
}

std::expected<Upgraded, CompileError> upgrade(std::string_view text) {
  const json::Document document = parsed(text);
  return upgrade_draft_07(document.root());
}

/// The upgraded text, or "refused LOCATION: MESSAGE".
std::string upgraded(std::string_view text) {
  const auto result = upgrade(text);
  if (!result) return "refused " + result.error().location + ": " + result.error().message;
  return result->text;
}

std::vector<std::string> changes(std::string_view text) {
  std::vector<std::string> lines;
  const auto result = upgrade(text);
  EXPECT_TRUE(result) << text;
  for (const UpgradeChange& change : result->changes) {
    lines.push_back(change.location + ": " + change.change);
  }
  return lines;
}

CompileErrorCode code_of(std::string_view text) {
  const auto result = upgrade(text);
  EXPECT_FALSE(result) << text;
  return result.error().code;
}

TEST(Upgrade_Dialect, IsRewrittenAtTheRoot) {
  EXPECT_EQ(upgraded(R"({"$schema":"http://json-schema.org/draft-07/schema#","type":"object"})"),
            R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"})");
  EXPECT_THAT(changes(R"({"$schema":"http://json-schema.org/draft-07/schema","type":"object"})"),
              IsEmpty());
  EXPECT_EQ(upgraded(R"({"type":"object"})"), R"({"type":"object"})");
  EXPECT_EQ(upgraded("true"), "true");
  EXPECT_EQ(upgraded("false"), "false");
}

TEST(Upgrade_Dialect, OthersAreRefused) {
  for (const char* dialect : {"http://json-schema.org/draft-04/schema#",
                              "https://json-schema.org/draft/2020-12/schema", "x"}) {
    const std::string schema = R"({"$schema":")" + std::string(dialect) + R"("})";
    EXPECT_EQ(code_of(schema), CompileErrorCode::unsupported_dialect);
    EXPECT_EQ(code_of(R"({"not":)" + schema + "}"), CompileErrorCode::unsupported_dialect);
    EXPECT_EQ(code_of(R"({"not":{"$id":"x:y",)" + schema.substr(1) + "}"),
              CompileErrorCode::unsupported_dialect);
  }
  EXPECT_EQ(code_of(R"({"$schema":7})"), CompileErrorCode::invalid_keyword);
  EXPECT_EQ(code_of(R"({"$ref":"#","$schema":"x"})"), CompileErrorCode::unsupported_dialect);
}

TEST(Upgrade_Dialect, RepeatedBelowTheRoot) {
  EXPECT_EQ(upgraded(R"({"not":{"$schema":"http://json-schema.org/draft-07/schema#"}})"),
            R"({"not":{}})");
  EXPECT_EQ(
      upgraded(R"({"not":{"$id":"x:y","$schema":"http://json-schema.org/draft-07/schema#"}})"),
      R"({"not":{"$id":"x:y","$schema":"https://json-schema.org/draft/2020-12/schema"}})");
}

TEST(Upgrade_Dialect, IsRecognisedInEverySpelling) {
  for (const char* text : {R"({"$schema":"http://json-schema.org/draft-07/schema#"})",
                           R"({"$schema":"http://json-schema.org/draft-07/schema"})",
                           R"({"$schema":"https://json-schema.org/draft-07/schema#"})",
                           R"({"$schema":"https://json-schema.org/draft-07/schema"})"}) {
    EXPECT_TRUE(is_draft_07(parsed(text).root())) << text;
  }
  for (const char* text : {"{}", "true", R"({"$schema":7})", R"(["$schema"])",
                           R"({"$schema":"http://json-schema.org/schema#"})"}) {
    EXPECT_FALSE(is_draft_07(parsed(text).root())) << text;
  }
}

TEST(Upgrade_Items, ArrayBecomesPrefixItems) {
  EXPECT_EQ(upgraded(R"({"items":[{"items":[true]},false],"additionalItems":{"items":[true]}})"),
            R"({"prefixItems":[{"prefixItems":[true]},false],"items":{"prefixItems":[true]}})");
  EXPECT_EQ(upgraded(R"({"additionalItems":false,"items":[true]})"),
            R"({"items":false,"prefixItems":[true]})");
  EXPECT_EQ(upgraded(R"({"items":[],"additionalItems":false})"), R"({"items":false})");
  EXPECT_THAT(changes(R"({"items":[true],"additionalItems":false})"),
              ElementsAre("/items: became prefixItems", "/additionalItems: became items"));
}

TEST(Upgrade_Items, AdditionalItemsDecideNothingWithoutAnArray) {
  EXPECT_EQ(upgraded(R"({"items":{"type":"string"},"additionalItems":false})"),
            R"({"items":{"type":"string"}})");
  EXPECT_EQ(upgraded(R"({"additionalItems":false})"), "{}");
  EXPECT_EQ(upgraded(R"({"items":true,"additionalItems":7})"), R"({"items":true})");
}

TEST(Upgrade_Items, AdditionalItemsThatDecideNothingMustNotIdentify) {
  EXPECT_EQ(upgraded(R"({"additionalItems":{"not":{"$id":"x:y"}},"not":{"$ref":"x:y"}})"),
            "refused /additionalItems: must not hold an $id where it decides nothing");
}

TEST(Upgrade_Dependencies, AreSplitByKind) {
  EXPECT_EQ(upgraded(R"({"dependencies":{"a":["b"],"c":{"items":[true]},"d":false,"e":[]}})"),
            R"({"dependentRequired":{"a":["b"],"e":[]},)"
            R"("dependentSchemas":{"c":{"prefixItems":[true]},"d":false}})");
  EXPECT_EQ(upgraded(R"({"dependencies":{}})"), "{}");
}

TEST(Upgrade_Definitions, BecomeDefsAndReferencesFollow) {
  EXPECT_EQ(upgraded(R"({"definitions":{"a":{"definitions":{"b":{}}}},)"
                     R"("$ref":"#/definitions/a/definitions/b"})"),
            R"({"$defs":{"a":{"$defs":{"b":{}}}},"$ref":"#/$defs/a/$defs/b"})");
  EXPECT_EQ(upgraded(R"({"items":[{"$ref":"#/additionalItems"}],"additionalItems":)"
                     R"({"dependencies":{"x":{"$ref":"#/items/0"}}},)"
                     R"("not":{"$ref":"#/additionalItems/dependencies/x"}})"),
            R"({"prefixItems":[{"$ref":"#/items"}],"items":)"
            R"({"dependentSchemas":{"x":{"$ref":"#/prefixItems/0"}}},)"
            R"("not":{"$ref":"#/items/dependentSchemas/x"}})");
}

TEST(Upgrade_Definitions, ThatDidNotMoveKeepTheirSpelling) {
  const char* const text =
      R"({"properties":{"a b":{"not":{}}},"not":{"$ref":"#/%70roperties/a%20b/not"}})";
  EXPECT_EQ(upgraded(text), text);
}

TEST(Upgrade_Definitions, PointersAreEscaped) {
  EXPECT_EQ(upgraded(R"({"definitions":{"a b":{},"é":{},"a/b~":{},"%":{}},"allOf":[)"
                     R"({"$ref":"#/definitions/a%20b"},{"$ref":"#/definitions/é"},)"
                     R"({"$ref":"#/definitions/a~1b~0"},{"$ref":"#/definitions/%25"}]})"),
            R"({"$defs":{"a b":{},"é":{},"a/b~":{},"%":{}},"allOf":[)"
            R"({"$ref":"#/$defs/a%20b"},{"$ref":"#/$defs/%C3%A9"},)"
            R"({"$ref":"#/$defs/a~1b~0"},{"$ref":"#/$defs/%25"}]})");
}

TEST(Upgrade_Definitions, JoinDefs) {
  EXPECT_EQ(
      upgraded(R"({"$defs":{"a":{},"b":{}},"definitions":{"a":{},"c":{"$ref":"#/$defs/a"}}})"),
      R"({"$defs":{"a":{},"c":{"$ref":"#/$defs/a"},"b":{}}})");
  EXPECT_EQ(upgraded(R"({"$defs":{"a":{}},"definitions":{"a":true}})"),
            "refused /$defs: must not give another meaning to a name of definitions");
}

TEST(Upgrade_References, StandAlone) {
  EXPECT_EQ(upgraded(R"({"allOf":[{"$ref":"#/definitions/a","type":"object","$id":"x:y",)"
                     R"("title":"t","description":"d","$comment":"c","default":1}],)"
                     R"("definitions":{"a":{}}})"),
            R"({"allOf":[{"$ref":"#/$defs/a","title":"t","description":"d","$comment":"c"}],)"
            R"("$defs":{"a":{}}})");
  EXPECT_THAT(changes(R"({"not":{"$ref":"#","maximum":1}})"),
              ElementsAre("/not/maximum: removed: draft-07 ignores what stands beside $ref"));
}

TEST(Upgrade_References, DefinitionsBesideThemAreTargets) {
  EXPECT_EQ(upgraded(R"({"$schema":"http://json-schema.org/draft-07/schema#",)"
                     R"("$ref":"#/definitions/a","definitions":{"a":{"items":[true]}}})"),
            R"({"$schema":"https://json-schema.org/draft/2020-12/schema",)"
            R"("$ref":"#/$defs/a","$defs":{"a":{"prefixItems":[true]}}})");
}

TEST(Upgrade_References, ToWhatNoLongerStandsAreCopiedIntoDefs) {
  EXPECT_EQ(upgraded(R"({"$ref":"#/properties/a","properties":{"a":{"items":[true]}}})"),
            R"({"$ref":"#/$defs/a","$defs":{"a":{"prefixItems":[true]}}})");
  EXPECT_EQ(upgraded(R"({"enum":[{"items":[true]}],"not":{"$ref":"#/enum/0"}})"),
            R"({"enum":[{"items":[true]}],"not":{"$ref":"#/$defs/0"},)"
            R"("$defs":{"0":{"prefixItems":[true]}}})");
  EXPECT_EQ(upgraded(R"({"x":{"a":{"properties":{"b":{}}}},"definitions":{"b":{"$ref":"#/x/a"}},)"
                     R"("anyOf":[{"$ref":"#/x/a/properties/b"},{"$ref":"#/x/a"}]})"),
            R"({"x":{"a":{"properties":{"b":{}}}},)"
            R"("$defs":{"b":{"$ref":"#/$defs/a"},"a":{"properties":{"b":{}}}},)"
            R"("anyOf":[{"$ref":"#/$defs/a/properties/b"},{"$ref":"#/$defs/a"}]})");
}

TEST(Upgrade_References, ToOtherDocumentsStay) {
  for (const char* text : {R"({"$ref":"http://json-schema.org/draft-07/schema#"})",
                           R"({"$ref":"http://json-schema.org/draft-07/schema#/definitions/x"})",
                           R"({"$ref":"other.json#/definitions/x"})", R"({"$ref":"urn:x:y"})"}) {
    EXPECT_EQ(upgraded(text), text);
  }
}

TEST(Upgrade_References, WithoutATargetAreRefused) {
  for (const char* text :
       {R"({"$ref":"#/definitions/a"})", R"({"$ref":"#a"})",
        R"({"$ref":"#/allOf/01","allOf":[true,true]})", R"({"$ref":"#/%zz"})",
        R"({"$ref":"#/~2","~2":{}})", R"({"not":{"$anchor":"a"},"if":{"$ref":"#a"}})",
        R"({"$id":"http://a/b","not":{"$ref":"http://a/b#/x"}})"}) {
    EXPECT_EQ(code_of(text), CompileErrorCode::unresolved_reference) << text;
  }
  EXPECT_EQ(code_of(R"({"$ref":"#/allOf","allOf":[true]})"), CompileErrorCode::not_a_schema);
  EXPECT_EQ(code_of(R"({"$ref":7})"), CompileErrorCode::invalid_keyword);
}

TEST(Upgrade_Identifiers, FragmentsBecomeAnchors) {
  EXPECT_EQ(upgraded(R"({"not":{"$ref":"#a"},"if":{"$id":"#a"}})"),
            R"({"not":{"$ref":"#a"},"if":{"$anchor":"a"}})");
  EXPECT_EQ(upgraded(R"({"$id":"http://a/b#","not":{"$id":"http://a/c#d"},)"
                     R"("if":{"$ref":"c#d"},"then":{"$id":"http://a/b#e"},"else":{"$ref":"#e"}})"),
            R"({"$id":"http://a/b","not":{"$id":"http://a/c","$anchor":"d"},)"
            R"("if":{"$ref":"c#d"},"then":{"$anchor":"e"},"else":{"$ref":"#e"}})");
}

TEST(Upgrade_Identifiers, AnchorsAreRespelledWhere2020ForbidsThem) {
  EXPECT_EQ(upgraded(R"({"allOf":[{"$id":"#a:b"},{"$id":"#a_b"},{"$id":"#a+b"},{"$id":"#1"},)"
                     R"({"$ref":"#a:b"},{"$ref":"#a+b"},{"$ref":"#1"}]})"),
            R"({"allOf":[{"$anchor":"a_b_3"},{"$anchor":"a_b"},{"$anchor":"a_b_2"},)"
            R"({"$anchor":"_1"},{"$ref":"#a_b_3"},{"$ref":"#a_b_2"},{"$ref":"#_1"}]})");
}

TEST(Upgrade_Identifiers, ThatAreJsonPointersNameNothing) {
  EXPECT_EQ(upgraded(R"({"$id":"http://a/b","properties":{"x":{"$id":"#/properties/x"},)"
                     R"("y":{"$id":"http://a/b#/properties/y"}}})"),
            R"({"$id":"http://a/b","properties":{"x":{},"y":{}}})");
}

TEST(Upgrade_Identifiers, GiveTheBaseOfReferences) {
  EXPECT_EQ(upgraded(R"({"$id":"http://a/","items":{"$id":"b/","definitions":{"c":{}},)"
                     R"("not":{"$ref":"#/definitions/c"}},"not":{"$ref":"b/#/definitions/c"}})"),
            R"({"$id":"http://a/","items":{"$id":"b/","$defs":{"c":{}},)"
            R"("not":{"$ref":"#/$defs/c"}},"not":{"$ref":"b/#/$defs/c"}})");
}

TEST(Upgrade_Identifiers, PointersThatCrossAResourceNameIt) {
  EXPECT_EQ(upgraded(R"({"$id":"http://a/","items":{"$id":"b/","definitions":{"c":{}}},)"
                     R"("allOf":[{"$ref":"#/items"},{"$ref":"#/items/definitions/c"}]})"),
            R"({"$id":"http://a/","items":{"$id":"b/","$defs":{"c":{}}},)"
            R"("allOf":[{"$ref":"http://a/b/"},{"$ref":"http://a/b/#/$defs/c"}]})");
  EXPECT_EQ(upgraded(R"({"not":{"$id":"d/a","if":{"$ref":"b"}},"if":{"$ref":"#/not/if"}})"),
            R"({"not":{"$id":"d/a","if":{"$ref":"b"}},"if":{"$ref":"d/a#/if"}})");
}

TEST(Upgrade_Identifiers, GivenTwiceAreRefused) {
  for (const char* text :
       {R"({"allOf":[{"$id":"x:a"},{"$id":"x:a"}]})", R"({"allOf":[{"$id":"#a"},{"$id":"#a"}]})",
        R"({"allOf":[{"$id":"x:a#b"},{"$id":"x:a#c"}]})"}) {
    EXPECT_EQ(code_of(text), CompileErrorCode::duplicate_identifier) << text;
  }
  EXPECT_EQ(code_of(R"({"$id":7})"), CompileErrorCode::invalid_keyword);
}

TEST(Upgrade_Identifiers, BelowUnknownKeywordsIdentifyNothing) {
  EXPECT_EQ(upgraded(R"({"x":{"$id":"x:a"},"not":{"$id":"x:a","if":true}})"),
            R"({"x":{"$id":"x:a"},"not":{"$id":"x:a","if":true}})");
  EXPECT_EQ(upgraded(R"({"x":{"$id":"#a","items":[true]},"not":{"$ref":"#/x"}})"),
            R"({"x":{"$id":"#a","items":[true]},"not":{"$ref":"#/$defs/x"},)"
            R"("$defs":{"x":{"prefixItems":[true]}}})");
}

TEST(Upgrade_Identifiers, OfDisputedEffectAreRefused) {
  EXPECT_EQ(upgraded(R"({"x":{"if":{"$id":"x:a"}},"not":{"$ref":"#/x"}})"),
            "refused /x/if/$id: must not be where only a reference finds a schema");
}

TEST(Upgrade_Identifiers, OfTheRootCountBesideReferences) {
  EXPECT_EQ(upgraded(R"({"$id":"x:a","$ref":"x:a#/definitions/b","definitions":{"b":true}})"),
            R"({"$id":"x:a","$ref":"x:a#/$defs/b","$defs":{"b":true}})");
}

TEST(Upgrade_LaterKeywords, AreRemovedSinceDraft07IgnoresThem) {
  for (const char* member :
       {R"("unevaluatedProperties":false)", R"("unevaluatedItems":false)",
        R"("prefixItems":[false])", R"("minContains":2)", R"("maxContains":2)",
        R"("dependentRequired":{"a":["b"]})", R"("dependentSchemas":{"a":false})",
        R"("$anchor":"a")", R"("$dynamicAnchor":"a")", R"("$dynamicRef":"#")",
        R"("$recursiveRef":"#")", R"("$recursiveAnchor":true)", R"("$vocabulary":{"x:y":true})",
        R"("deprecated":"soon")"}) {
    EXPECT_EQ(upgraded("{" + std::string(member) + R"(,"type":"object"})"), R"({"type":"object"})");
    EXPECT_EQ(changes("{" + std::string(member) + "}").size(), 1U);
  }
  EXPECT_EQ(upgraded(R"({"deprecated":true})"), R"({"deprecated":true})");
  EXPECT_EQ(upgraded(R"({"contentSchema":{"items":[true]}})"),
            R"({"contentSchema":{"prefixItems":[true]}})");
}

TEST(Upgrade_Data, IsNotTouched) {
  for (const char* text :
       {R"({"enum":[{"items":[1],"$ref":"#/no","definitions":{}}],"const":{"$id":"#a"}})",
        R"({"default":{"dependencies":7},"examples":[{"additionalItems":1}]})",
        R"({"maximum":1.50,"multipleOf":1e2,"const":12345678901234567890})",
        R"({"x-unknown":{"items":[ 1 , 2 ]},"format":"uuid","contentMediaType":"a/b"})"}) {
    EXPECT_EQ(upgraded(text), text);
  }
}

TEST(Upgrade_PropertyNames, ThatLookLikeKeywordsAreNames) {
  const char* const text =
      R"({"properties":{"items":{"enum":[1]},"$ref":{"type":"string"},"definitions":true,)"
      R"("dependencies":{},"$id":{},"$schema":{}},"patternProperties":{"additionalItems":{}}})";
  EXPECT_EQ(upgraded(text), text);
  EXPECT_EQ(
      upgraded(R"({"definitions":{"definitions":{},"items":{}},)"
               R"("allOf":[{"$ref":"#/definitions/definitions"},{"$ref":"#/definitions/items"}]})"),
      R"({"$defs":{"definitions":{},"items":{}},)"
      R"("allOf":[{"$ref":"#/$defs/definitions"},{"$ref":"#/$defs/items"}]})");
}

TEST(Upgrade_BadSchemas, AreRefusedWhereTheyAreBad) {
  EXPECT_EQ(upgraded("7"), "refused : must be an object or a boolean");
  EXPECT_EQ(upgraded(R"({"properties":{"a":7}})"),
            "refused /properties/a: must be an object or a boolean");
  EXPECT_EQ(upgraded(R"({"properties":[]})"), "refused /properties: must be an object");
  EXPECT_EQ(upgraded(R"({"allOf":{}})"), "refused /allOf: must be an array of schemas");
  EXPECT_EQ(upgraded(R"({"items":[{"not":7}]})"),
            "refused /items/0/not: must be an object or a boolean");
  EXPECT_EQ(upgraded(R"({"dependencies":{"a/b":"c"}})"),
            "refused /dependencies/a~1b: must be an object or a boolean");
  EXPECT_EQ(code_of(R"({"definitions":{"not":{}},"if":{"$ref":"#/definitions"}})"),
            CompileErrorCode::unresolved_reference);
}

TEST(Upgrade_Limits, Depth) {
  const auto nested = [](std::size_t depth) {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += R"({"not":)";
    return text + "true" + std::string(depth, '}');
  };
  EXPECT_EQ(upgraded(nested(128)), nested(128));
  EXPECT_EQ(code_of(nested(129)), CompileErrorCode::too_large);
}

TEST(Upgrade_Limits, LocationsAreShort) {
  const std::string name(100'000, 'n');
  const auto lines = changes(R"({"properties":{")" + name + R"(":{"items":[{"$ref":"#"}]}}})");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_LT(lines[0].size(), 300U);
  EXPECT_THAT(lines[0], HasSubstr("..."));
}

TEST(Upgrade_Limits, ChangesAreCounted) {
  std::string text = R"({"allOf":[true)";
  for (int i = 0; i < 1'500; ++i) text += R"(,{"additionalItems":true})";
  const auto result = upgrade(text + "]}");
  ASSERT_TRUE(result);
  EXPECT_EQ(result->changes.size(), 1'000U);
  EXPECT_TRUE(result->more_changes);
}

TEST(Upgrade_Limits, CopiesDoNotMultiply) {
  // Each unknown keyword holds the next; each is a target of its own.
  std::string inner(50'000, ' ');
  std::string pointers;
  std::string pointer = "#";
  for (int i = 0; i < 60; ++i) {
    inner = R"({"x":)" + (i == 0 ? "{\"title\":\"" + inner + "\"}" : inner) + "}";
    pointer += "/x";
    pointers += (i == 0 ? "" : ",") + (R"({"$ref":")" + pointer + "\"}");
  }
  EXPECT_EQ(code_of(inner.substr(0, inner.size() - 1) + R"(,"allOf":[)" + pointers + "]}"),
            CompileErrorCode::too_large);
}

}  // namespace
}  // namespace interline::schema

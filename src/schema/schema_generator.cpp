#include "schema/schema_generator.hpp"

#include <functional>
#include <vector>

namespace interline::schema::testing {
namespace {

std::string joined(const std::vector<std::string>& parts, char open, char close) {
  std::string text(1, open);
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i > 0 ? "," : "") + parts[i];
  return text + close;
}

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

}  // namespace

std::string Generator::pick(std::initializer_list<const char*> values) {
  return values.begin()[below(values.size())];
}

std::string Generator::scalar() {
  return pick({"null", "true", "false", "0", "1", "2", "1.0", "-1", "1.5", "3", "10", "\"\"",
               "\"a\"", "\"ab\"", "\"abc\"", "\"b\"", "9007199254740993", "9007199254740992"});
}

std::string Generator::instance(int depth) {
  if (depth == 0 || chance(30)) return scalar();
  std::vector<std::string> parts;
  const std::size_t count = below(5);
  if (chance(50)) {
    for (std::size_t i = 0; i < count; ++i) parts.push_back(instance(depth - 1));
    return joined(parts, '[', ']');
  }
  std::vector<bool> used(5, false);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t which = below(5);
    if (used[which]) continue;
    used[which] = true;
    const std::string names[] = {"a", "b", "c", "ab", "x-1"};
    parts.push_back(quoted(names[which]) + ":" + instance(depth - 1));
  }
  return joined(parts, '{', '}');
}

std::string Generator::name_list() {
  std::vector<std::string> parts;
  for (const char* name : {"a", "b", "c"}) {
    if (chance(40)) parts.push_back(quoted(name));
  }
  return joined(parts, '[', ']');
}

std::string Generator::schema_list(int depth) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < 1 + below(3); ++i) parts.push_back(subschema(depth));
  return joined(parts, '[', ']');
}

std::string Generator::schema_map(int depth, bool patterns) {
  std::vector<std::string> parts;
  for (const char* name : {"a", "b", "ab", "x-1"}) {
    if (!chance(40)) continue;
    const std::string key = patterns ? (chance(50) ? "^" + std::string(name) : name) : name;
    parts.push_back(quoted(key) + ":" + subschema(depth));
  }
  return joined(parts, '{', '}');
}

/// One keyword that applies subschemas, as a member.
std::string Generator::applicator(int depth) {
  const int d = depth - 1;
  switch (below(18)) {
    case 0:
      return "\"allOf\":" + schema_list(d);
    case 1:
      return "\"anyOf\":" + schema_list(d);
    case 2:
      return "\"oneOf\":" + schema_list(d);
    case 3:
      return "\"not\":" + subschema(d);
    case 4:
      return "\"if\":" + subschema(d) + ",\"then\":" + subschema(d) + ",\"else\":" + subschema(d);
    case 5:
      return "\"dependentSchemas\":" + schema_map(d, false);
    case 6:
      return "\"prefixItems\":" + schema_list(d);
    case 7:
      return "\"items\":" + subschema(d);
    case 8:
      return "\"contains\":" + subschema(d) + ",\"minContains\":" + pick({"0", "1", "2"});
    case 9:
      return "\"contains\":" + subschema(d) + ",\"maxContains\":" + pick({"1", "2"});
    case 10:
    case 11:
      return "\"properties\":" + schema_map(d, false);
    case 12:
      return "\"patternProperties\":" + schema_map(d, true);
    case 13:
      return "\"additionalProperties\":" + subschema(d);
    case 14:
      return "\"propertyNames\":" + subschema(d);
    case 15:
      return "\"unevaluatedItems\":" + subschema(d);
    case 16:
      return "\"unevaluatedProperties\":" + subschema(d);
    default:
      return quoted(chance(70) ? "$ref" : "$dynamicRef") + ":" +
             quoted(pick(
                 {"#/$defs/a", "#/$defs/b", "#node", "other", "other#node", "other#/$defs/a"}));
  }
}

std::string Generator::keyword(int depth) {
  if (depth > 0 && chance(60)) return applicator(depth);
  switch (below(16)) {
    case 0:
    case 1:
      return "\"type\":" +
             pick({"\"string\"", "\"integer\"", "\"object\"", "\"array\"", "\"null\"",
                   "[\"number\",\"array\"]", "[\"object\",\"string\"]", "\"boolean\""});
    case 2:
      return "\"const\":" + instance(2);
    case 3: {
      std::vector<std::string> values;
      for (std::size_t i = 0; i < below(12); ++i) values.push_back(instance(1));
      return "\"enum\":" + joined(values, '[', ']');
    }
    case 4:
      return "\"minimum\":" + pick({"0", "1", "1.5"});
    case 5:
      return "\"exclusiveMaximum\":" + pick({"1", "2", "10"});
    case 6:
      return "\"multipleOf\":" + pick({"0.5", "2", "3"});
    case 7:
      return "\"minLength\":" + pick({"0", "1", "2"});
    case 8:
      return "\"maxLength\":" + pick({"0", "1", "2"});
    case 9:
      return "\"pattern\":" + pick({"\"^a\"", "\"b$\"", "\"^(a|b)+$\""});
    case 10:
      return "\"uniqueItems\":true";
    case 11:
      return "\"minItems\":" + pick({"0", "1", "2"}) + ",\"maxItems\":" + pick({"1", "2", "3"});
    case 12:
      return "\"required\":" + name_list();
    case 13:
      return "\"dependentRequired\":{\"a\":" + name_list() + "}";
    case 14:
      return "\"maxProperties\":" + pick({"1", "2", "3"});
    default:
      return "\"title\":\"text\"";
  }
}

std::string Generator::subschema(int depth) {
  if (depth <= 0 && chance(40)) return pick({"true", "false", "{}", "true"});
  std::vector<std::string> parts;
  std::vector<std::string> seen;
  for (std::size_t i = 0; i < 1 + below(3); ++i) {
    std::string member = keyword(depth);
    // Names are unique; the keywords that come together share a first name.
    std::string key = member.substr(0, member.find(':'));
    bool repeated = false;
    for (const std::string& other : parts) {
      repeated = repeated || other.find(key + ":") != std::string::npos;
    }
    if (!repeated && (parts.empty() || key.find("contains") == std::string::npos)) {
      parts.push_back(std::move(member));
    }
  }
  return joined(parts, '{', '}');
}

std::string Generator::schema() {
  std::string text = subschema(4);
  if (text.size() < 3 || text.front() != '{') return text;
  text.pop_back();
  const auto guarded = [&](int depth) {
    // Progress between references keeps most of these from being endless.
    return R"({"properties":{"a":)" + subschema(depth) + R"(},"items":)" + subschema(depth) + "}";
  };
  text += R"(,"$id":"https://example.com/root","$defs":{"a":)" + subschema(1) + R"(,"b":)" +
          guarded(2) + R"(,"n":{"$dynamicAnchor":"node","type":)" +
          pick({"\"integer\"", "\"string\"", "[\"object\",\"array\"]"}) +
          R"(},"o":{"$id":"other","$dynamicAnchor":"node","$defs":{"a":)" + subschema(1) + "}" +
          (chance(50) ? R"(,"items":{"$dynamicRef":"#node"})" : R"(,"minimum":1)") + "}}}";
  return text;
}

}  // namespace interline::schema::testing

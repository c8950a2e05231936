// The hand-written rules against the normative schema, evaluated by our own engine, on a generated
// corpus: valid manifests, changed at random.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/sanitized.hpp"
#include "catalog/manifest_rules.hpp"
#include "json/parse.hpp"
#include "json/random_json.hpp"
#include "schema/schema.hpp"

namespace interline::catalog {
namespace {

using json::Kind;
using json::testing::RandomJson;
using json::testing::Tree;
using json::testing::TreeMember;

constexpr std::string_view kFull = R"({"manifestSpecVersion":"0",
  "agent":{"jid":"desk@agents.example.test","name":"desk","title":"Help Desk","description":"d",
    "version":"1.4.0","vendor":"v","homepage":"https://example.org/",
    "avatarUrl":"https://example.org/a.png"},
  "implementation":{"name":"i","version":"7"},
  "mcpProtocolVersion":"2025-11-25",
  "tools":[{"name":"ticket.open","title":"t","description":"d","inputSchema":{"type":"object"},
    "outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"execution":{},"_meta":{},
    "urn:xmpp:agent-api:0":{"supportsProgress":true,"supportsCancellation":false,
      "supportsInput":true,"defaultTimeoutSeconds":10,"maximumTimeoutSeconds":60,
      "requiredPermissions":["a","b"],"approvalRequired":false,"tags":["x","y"]},
    "urn:example:x":1},
    {"name":"other","inputSchema":{"type":"object"}}]})";
constexpr std::string_view kSmall =
    R"({"manifestSpecVersion":"0","agent":{"jid":"a@b","name":"a","version":"1"},"tools":[]})";

/// Names that a manifest has, and some that it has not.
constexpr std::string_view kNames[] = {"manifestSpecVersion",
                                       "agent",
                                       "implementation",
                                       "mcpProtocolVersion",
                                       "tools",
                                       "jid",
                                       "name",
                                       "title",
                                       "description",
                                       "version",
                                       "vendor",
                                       "homepage",
                                       "avatarUrl",
                                       "inputSchema",
                                       "outputSchema",
                                       "annotations",
                                       "execution",
                                       "_meta",
                                       "urn:xmpp:agent-api:0",
                                       "supportsProgress",
                                       "supportsInput",
                                       "defaultTimeoutSeconds",
                                       "maximumTimeoutSeconds",
                                       "requiredPermissions",
                                       "approvalRequired",
                                       "tags",
                                       "icons",
                                       "x",
                                       "",
                                       ":",
                                       "a:",
                                       "1a:b",
                                       "A:b",
                                       "a-b+c.1:x",
                                       "a_b:c",
                                       "https://example.org/x",
                                       "Urn:x"};
constexpr std::string_view kTexts[] = {"0",
                                       "1",
                                       "",
                                       "a",
                                       "ab",
                                       "a@b",
                                       "1.4.0",
                                       "a_b~c-d",
                                       "a b",
                                       "v\n",
                                       "\u00E9",
                                       "2025-11-25",
                                       "2025-1-25",
                                       "25-11-2025",
                                       "2025-11-251",
                                       "99999-11-2",
                                       "https://example.org/x?y#z",
                                       "https://",
                                       "https:///",
                                       "https://user@example.org",
                                       "https://example.org:99999",
                                       "http://example.org",
                                       "HTTPS://example.org",
                                       "https://exa mple.org",
                                       "https://\u00E9.org",
                                       "https://example.org/%4",
                                       "https://[::1]/",
                                       "https://[::1/"};
constexpr std::size_t kLengths[] = {0,     1,     2,     3,     63,    64,    65,    127,
                                    128,   129,   255,   256,   257,   2'047, 2'048, 2'049,
                                    3'071, 3'072, 4'096, 4'097, 8'192, 8'193};
constexpr double kNumbers[] = {0, 1, -1, 0.5, 1.5, 10, 9'007'199'254'740'993.0, 1e300, 0.999};

Tree to_tree(const json::Value& value) {
  Tree tree;
  tree.kind = value.kind();
  if (value.is_boolean()) tree.boolean = value.as_bool();
  if (value.is_number()) tree.number = value.as_double();
  if (value.is_string()) tree.text = std::string(value.as_string());
  if (value.is_array()) {
    for (const json::Value& item : value.items()) tree.items.push_back(to_tree(item));
  }
  if (value.is_object()) {
    for (const json::Member& member : value.members()) {
      tree.members.push_back(TreeMember{std::string(member.name()), to_tree(member.value)});
    }
  }
  return tree;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  void change(Tree& root) {
    std::vector<Tree*> nodes;
    collect(root, nodes);
    Tree& node = *nodes[below(nodes.size())];
    switch (below(8)) {
      case 0:
        node = value();
        break;
      case 1:
        if (node.kind == Kind::string) node.text = text();
        break;
      case 2:
        if (node.kind == Kind::number) node.number = kNumbers[below(std::size(kNumbers))];
        break;
      case 3:
        if (!node.members.empty()) node.members.erase(at(node.members));
        break;
      case 4:
        if (!node.members.empty()) rename(node);
        break;
      case 5:
        if (node.kind == Kind::object) add(node);
        break;
      case 6:
        if (!node.items.empty()) node.items.push_back(node.items[below(node.items.size())]);
        break;
      default:
        if (!node.items.empty()) node.items.erase(at(node.items));
        break;
    }
  }
  std::size_t below(std::size_t bound) { return random_() % bound; }

 private:
  template <class Item>
  std::vector<Item>::iterator at(std::vector<Item>& list) {
    return list.begin() + static_cast<std::ptrdiff_t>(below(list.size()));
  }
  void collect(Tree& tree, std::vector<Tree*>& nodes) {
    nodes.push_back(&tree);
    for (Tree& item : tree.items) collect(item, nodes);
    for (TreeMember& member : tree.members) collect(member.value, nodes);
  }
  std::string text() {
    if (below(2) == 0) return std::string(kTexts[below(std::size(kTexts))]);
    constexpr std::string_view kLetters[] = {"x", "\u00E9", "\U0001F600"};
    const std::string_view letter = kLetters[below(std::size(kLetters))];
    const bool uri = below(4) == 0;
    std::string made = uri ? "https://x/" : "";
    const std::size_t length = kLengths[below(std::size(kLengths))];
    const std::size_t filled = made.size();
    for (std::size_t i = filled; i < length; ++i) made.append(uri ? "x" : letter);
    return made;
  }
  Tree value() {
    Tree made;
    made.kind = static_cast<Kind>(below(6));
    made.boolean = below(2) == 0;
    made.number = kNumbers[below(std::size(kNumbers))];
    made.text = text();
    return made;
  }
  static bool has(const Tree& node, std::string_view name) {
    return std::ranges::find(node.members, name, &TreeMember::name) != node.members.end();
  }
  void rename(Tree& node) {
    const std::string_view name = kNames[below(std::size(kNames))];
    if (!has(node, name)) node.members[below(node.members.size())].name = std::string(name);
  }
  void add(Tree& node) {
    const std::string_view name = kNames[below(std::size(kNames))];
    if (!has(node, name)) node.members.push_back(TreeMember{std::string(name), value()});
  }

  std::mt19937_64 random_;
};

std::string read_file(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class NormativeManifestSchema : public ::testing::Test {
 protected:
  NormativeManifestSchema() {
    const std::string text =
        read_file(INTERLINE_SOURCE_DIR "/tests/vectors/xmpp/manifest.schema.json");
    const auto document = json::parse_borrowed(text);
    schema::CompileOptions options;
    options.assert_format = true;
    normative_ = schema::Schema::compile(document->root(), options).value();
  }
  bool agrees(const json::Value& root) {
    const bool ours = check_manifest_schema(root).has_value();
    const bool theirs = normative_->validate(root) == schema::Verdict::valid;
    (theirs ? accepted_ : refused_) += 1;
    return ours == theirs;
  }

  std::optional<schema::Schema> normative_;
  std::size_t accepted_ = 0;
  std::size_t refused_ = 0;
};

TEST_F(NormativeManifestSchema, AgreesOnTheSeeds) {
  for (const std::string_view seed : {kFull, kSmall}) {
    const auto document = json::parse_borrowed(seed);
    EXPECT_TRUE(agrees(document->root()));
  }
  EXPECT_EQ(accepted_, 2U);
}

TEST_F(NormativeManifestSchema, AgreesOnManifestsChangedAtRandom) {
  const Tree seeds[] = {to_tree(json::parse_borrowed(kFull)->root()),
                        to_tree(json::parse_borrowed(kSmall)->root())};
  Mutator mutator(20'260'730);
  RandomJson speller(7);
  for (int i = 0; i < cases(12'000); ++i) {
    Tree tree = seeds[i % 4 == 0 ? 1 : 0];
    for (std::size_t changes = 1 + mutator.below(3); changes > 0; --changes) mutator.change(tree);
    const std::string text = speller.spell(tree);
    const auto document = json::parse_borrowed(text);
    ASSERT_TRUE(document) << text;
    ASSERT_TRUE(agrees(document->root())) << text;
  }
  EXPECT_GT(accepted_, cases(2'000U));
  EXPECT_GT(refused_, cases(2'000U));
}

TEST_F(NormativeManifestSchema, AgreesOnTheNumberOfTools) {
  for (const std::size_t count : {4'095U, 4'096U, 4'097U}) {
    std::string text =
        R"({"manifestSpecVersion":"0","agent":{"jid":"a@b","name":"a","version":"1"},"tools":[)";
    for (std::size_t i = 0; i < count; ++i) {
      text.append(i == 0 ? "" : ",").append(R"({"name":"t","inputSchema":{}})");
    }
    text.append("]}");
    const auto document = json::parse_borrowed(text);
    EXPECT_TRUE(agrees(document->root())) << count;
  }
  EXPECT_EQ(accepted_, 2U);
}

TEST_F(NormativeManifestSchema, AgreesOnEveryKindOfRoot) {
  for (const auto text : {"null", "true", "0", "\"\"", "[]", "{}"}) {
    const auto document = json::parse_borrowed(text);
    EXPECT_TRUE(agrees(document->root())) << text;
  }
  EXPECT_EQ(refused_, 6U);
}

}  // namespace
}  // namespace interline::catalog

// Prefixes and what they mean, element by element.
#include "bindings/xmpp/namespace_scopes.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace interline::xmpp {
namespace {

/// Name, value, name, value, nullptr.
struct Attributes {
  explicit Attributes(std::vector<std::string> all) : texts(std::move(all)) {
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    pointers.push_back(nullptr);
  }
  operator const char* const*() const { return pointers.data(); }
  std::vector<std::string> texts;
  std::vector<const char*> pointers;
};

std::string ns_of(const std::optional<NamespaceScopes::Name>& name) {
  return name ? std::string(name->ns) : "none";
}

TEST(NamespacesInXml_6, ADeclarationHoldsForItsElementAndWhatIsInIt) {
  NamespaceScopes scopes(512);
  ASSERT_TRUE(scopes.enter(Attributes({"xmlns", "urn:outer", "xmlns:p", "urn:p"})));
  ASSERT_TRUE(scopes.enter(Attributes({"xmlns", "urn:inner"})));
  EXPECT_EQ(ns_of(scopes.element("a")), "urn:inner");
  EXPECT_EQ(ns_of(scopes.element("p:a")), "urn:p");
  scopes.leave();
  EXPECT_EQ(ns_of(scopes.element("a")), "urn:outer");
  scopes.leave();
  EXPECT_EQ(ns_of(scopes.element("a")), "");
  EXPECT_EQ(ns_of(scopes.element("p:a")), "none");
}

TEST(NamespacesInXml_6_2, TheDefaultIsForElementsAlone) {
  NamespaceScopes scopes(512);
  ASSERT_TRUE(scopes.enter(Attributes({"xmlns", "urn:d"})));
  EXPECT_EQ(ns_of(scopes.attribute("a")), "");
  EXPECT_EQ(scopes.default_namespace(), "urn:d");
  ASSERT_TRUE(scopes.enter(Attributes({"xmlns", ""})));
  EXPECT_EQ(scopes.default_namespace(), "");
}

TEST(NamespacesInXml_3, XmlIsBoundAndStaysSo) {
  NamespaceScopes scopes(512);
  ASSERT_TRUE(scopes.enter(Attributes({"xmlns:xml", "urn:other"})));
  EXPECT_EQ(ns_of(scopes.attribute("xml:lang")), "http://www.w3.org/XML/1998/namespace");
}

TEST(NamespaceScopes, AreBounded) {
  NamespaceScopes scopes(4);
  std::vector<std::string> many;
  for (std::size_t i = 0; i <= NamespaceScopes::kMostBindings; ++i) {
    many.push_back("xmlns:" + std::to_string(i));
    many.emplace_back("u");
  }
  EXPECT_FALSE(scopes.enter(Attributes(many)));
  scopes.leave();
  ASSERT_TRUE(scopes.enter(Attributes({"xmlns", "urn:long"})));
  EXPECT_EQ(scopes.default_namespace().size(), 5U);
}

}  // namespace
}  // namespace interline::xmpp

// What a tool wrote is never typed anew.
#include "protocols/mcp/object_edit.hpp"

#include <gtest/gtest.h>

#include "protocols/mcp/test_support.hpp"

namespace interline::protocols::mcp {
namespace {

using testing::parse;

constexpr std::string_view kWritten =
    R"( { "a" : 1.50e0 ,  "b\u0041": [ 1 , 2 ],
  "c":{"d": "é\u00e9" } } )";

TEST(Mcp_ObjectEdit, WithoutChangesMembersKeepTheirBytes) {
  const auto document = parse(kWritten);
  EXPECT_EQ(ObjectEdit(document.root()).text(),
            R"({"a" : 1.50e0,"b\u0041": [ 1 , 2 ],"c":{"d": "é\u00e9" }})");
}

TEST(Mcp_ObjectEdit, MembersAreDroppedByTheirUnescapedName) {
  const auto document = parse(kWritten);
  for (const auto& [name, left] :
       {std::pair{"a", R"({"b\u0041": [ 1 , 2 ],"c":{"d": "é\u00e9" }})"},
        std::pair{"bA", R"({"a" : 1.50e0,"c":{"d": "é\u00e9" }})"},
        std::pair{"c", R"({"a" : 1.50e0,"b\u0041": [ 1 , 2 ]})"}}) {
    ObjectEdit edit(document.root());
    edit.drop(name);
    edit.drop("absent");
    EXPECT_EQ(edit.text(), left);
  }
  ObjectEdit all(document.root());
  for (const auto* name : {"a", "bA", "c"}) all.drop(name);
  EXPECT_EQ(all.text(), "{}");
}

TEST(Mcp_ObjectEdit, MembersAreExchangedInTheirPlace) {
  const auto document = parse(R"({"a":1,"b":2,"c":3})");
  ObjectEdit edit(document.root());
  edit.set("b", "[]");
  edit.set_first("c", "{}");
  EXPECT_EQ(edit.text(), R"({"a":1,"b":[],"c":{}})");
}

TEST(Mcp_ObjectEdit, NewMembersGoBeforeOrBehind) {
  const auto document = parse(R"({"a":1})");
  ObjectEdit edit(document.root());
  edit.set("z\"", "2");
  edit.set_first("x", "3");
  EXPECT_EQ(edit.text(), R"({"x":3,"a":1,"z\"":2})");
  const auto empty = parse(" { } ");
  ObjectEdit into(empty.root());
  into.set("a", "1");
  EXPECT_EQ(into.text(), R"({"a":1})");
}

}  // namespace
}  // namespace interline::protocols::mcp

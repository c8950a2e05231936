#include "bindings/xmpp/data_form.hpp"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/testing.hpp"

namespace interline::xmpp {
namespace {

TEST(Xep0068_Forms, TheTypeIsAHiddenFieldAndComesFirst) {
  std::string out;
  XmlWriter w(out, ns::kDiscoInfo);
  FormWriter form(w, "result", form_type::kEndpointInfo);
  form.field("server_name", "desk");
  form.lines("description", "one\r\ntwo\n\nfour");
  form.field("cold_start_supported", false);
  form.end();
  EXPECT_EQ(out,
            "<x xmlns='jabber:x:data' type='result'><field var='FORM_TYPE' type='hidden'>"
            "<value>urn:xmpp:agent-endpoint-info:0</value></field><field var='server_name'>"
            "<value>desk</value></field><field var='description' type='text-multi'>"
            "<value>one</value><value>two</value><value/><value>four</value></field>"
            "<field var='cold_start_supported'><value>0</value></field></x>");
}

TEST(Xep0004_Forms, QuestionsAndReportedItems) {
  std::string out;
  XmlWriter w(out, ns::kSearch);
  FormWriter form(w, "form", form_type::kSearch, "Agents");
  form.question("nick", "text-single", "Name");
  form.end();
  FormWriter result(w, "result");
  result.reported({{"jid", "jid-single", "Address"}, {"nick", "text-single", "Name"}});
  result.begin_item();
  result.field("jid", "desk@agents.example.test");
  result.end_item();
  result.end();
  EXPECT_EQ(out,
            "<x xmlns='jabber:x:data' type='form'><title>Agents</title><field var='FORM_TYPE' "
            "type='hidden'><value>jabber:iq:search</value></field><field var='nick' "
            "type='text-single' label='Name'/></x><x xmlns='jabber:x:data' type='result'>"
            "<reported><field var='jid' type='jid-single' label='Address'/><field var='nick' "
            "type='text-single' label='Name'/></reported><item><field var='jid'>"
            "<value>desk@agents.example.test</value></field></item></x>");
  EXPECT_EQ(w.depth(), 0U);
}

constexpr std::array<std::string_view, 4> kUnderstood = {"FORM_TYPE", "nick", "none", "a"};

Result<Form> form_of(std::string_view attributes, std::string_view content) {
  return read_form(testing::read_stanza("<x xmlns='jabber:x:data' " + std::string(attributes) +
                                        ">" + std::string(content) + "</x>")
                       .root(),
                   kUnderstood);
}

TEST(Xep0004_Forms, ReadsASubmission) {
  const auto form = form_of("type='submit'",
                            "<title>x</title><field var='FORM_TYPE' type='hidden'>"
                            "<value>jabber:iq:search</value></field><field><value>lost</value>"
                            "</field><field var='nick'><value>a &amp; b</value><value>c</value>"
                            "</field><field var='none'/>");
  ASSERT_TRUE(form);
  EXPECT_EQ(form->type, Form::Type::submit);
  EXPECT_EQ(form->fields.size(), 3U);
  EXPECT_EQ(form->value("FORM_TYPE"), "jabber:iq:search");
  EXPECT_EQ(form->value("nick"), "a & b");
  EXPECT_EQ(form->fields[1].values.size(), 2U);
  EXPECT_TRUE(form->has("none"));
  EXPECT_EQ(form->value("none"), "");
  EXPECT_FALSE(form->has("absent"));
  EXPECT_EQ(form_of("type='cancel'", "")->type, Form::Type::cancel);
}

TEST(Xep0004_Forms, BadOnesAreMalformed) {
  EXPECT_FALSE(form_of("", ""));
  EXPECT_FALSE(form_of("type='Submit'", ""));
  EXPECT_FALSE(form_of("type='submit'", "<field var='a'/><field var='a'/>"));
  EXPECT_FALSE(form_of("type='submit'", "<field var='a'><value><b/></value></field>"));
  for (const char* field : {"<field var='a'/>", "<field var='FORM_TYPE' type='hidden'/>"}) {
    EXPECT_TRUE(form_of("type='submit'", field)) << field;
    EXPECT_FALSE(form_of("type='submit'", std::string(field) + field)) << field;
  }
}

// Section 3: "the form-processing entity MUST ignore any fields that it does not understand".
TEST(Xep0004_Forms, FieldsThatAreNotUnderstoodAreIgnoredHoweverManyAndWhateverIsInThem) {
  const std::string_view unknown =
      "<field var='x'><value>1</value></field><field var='x'><value><b/></value></field>"
      "<field var=''/><field var=''/>";
  std::string many(unknown);
  for (int i = 0; i < 1'000; ++i) many += "<field var='" + std::to_string(i) + "'/>";
  const auto form =
      form_of("type='submit'", many + "<field var='nick'><value>desk</value></field>" + many);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->value("nick"), "desk");
  EXPECT_EQ(form->fields.size(), 1U);
  EXPECT_FALSE(form->has("x"));
}

}  // namespace
}  // namespace interline::xmpp

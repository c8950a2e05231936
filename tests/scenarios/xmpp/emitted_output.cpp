#include "emitted_output.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <mutex>
#include <set>
#include <sstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "bindings/xmpp/names.hpp"
#include "event_schemas.hpp"

namespace interline::testing {
namespace {

const std::filesystem::path kVectors = INTERLINE_SOURCE_DIR "/tests/vectors/xmpp";

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool is_specified(std::string_view ns) {
  return ns == xmpp::ns::kAgentApi || ns == xmpp::ns::kAgentTask;
}

/// The bytes of the stanza's payload.
std::string payload_bytes(const Emitted& emitted) {
  const auto begin = emitted.bytes.find('>') + 1;
  const auto end = emitted.bytes.rfind("</");
  return emitted.bytes.substr(begin, end - begin);
}

class Output final : public ::testing::Environment {
 public:
  void add(const Emitted& emitted) {
    std::string from(emitted.root().attribute("from").value_or(""));
    from.resize(std::min(from.size(), from.find('/')));
    EXPECT_TRUE(from == "agents.example.test" || from.ends_with("@agents.example.test"))
        << emitted.bytes;
    EXPECT_TRUE(emitted.root().attribute("to")) << emitted.bytes;
    EXPECT_EQ(emitted.bytes.find("<![CDATA["), std::string::npos);
    EXPECT_EQ(emitted.bytes.find("no-copy"), std::string::npos);
    if (emitted.root().children().empty()) return;
    const xmpp::Element payload = emitted.payload();
    if (!is_specified(payload.ns())) return;
    if (payload.is(xmpp::ns::kAgentTask, "event")) check_event(payload);
    const std::lock_guard lock(mutex_);
    payloads_.insert(payload_bytes(emitted));
  }

  void TearDown() override {
    if (payloads_.empty()) return;
    std::string pattern = std::filesystem::temp_directory_path() / "interline-xsd-XXXXXX";
    const std::filesystem::path folder = mkdtemp(pattern.data());
    std::ofstream(folder / "payloads.xsd")
        << "<xs:schema xmlns:xs='http://www.w3.org/2001/XMLSchema' targetNamespace='urn:payloads'>"
        << "<xs:import namespace='urn:xmpp:agent-api:0' schemaLocation='" << kVectors.string()
        << "/agent-api.xsd'/><xs:import namespace='urn:xmpp:agent-task:0' schemaLocation='"
        << kVectors.string() << "/agent-task.xsd'/><xs:element name='payloads'><xs:complexType>"
        << "<xs:sequence><xs:any maxOccurs='unbounded' namespace='##other' "
        << "processContents='strict'/></xs:sequence></xs:complexType></xs:element></xs:schema>";
    std::ofstream file(folder / "payloads.xml");
    file << "<p:payloads xmlns:p='urn:payloads'>";
    for (const std::string& payload : payloads_) file << payload << '\n';
    file << "</p:payloads>";
    file.close();
    const std::string command =
        "xmllint --huge --noout --schema " + (folder / "payloads.xsd").string() + " " +
        (folder / "payloads.xml").string() + " > " + (folder / "log").string() + " 2>&1";
    const int status = std::system(command.c_str());
    EXPECT_EQ(status, 0) << read_file(folder / "log");
    std::cout << payloads_.size() << " different payloads held against the XML Schemas\n";
    std::filesystem::remove_all(folder);
  }

 private:
  void check_event(xmpp::Element event) {
    const std::string type(event.attribute("type").value_or(""));
    EXPECT_TRUE(schemas_.holds(type, event.text())) << type << ": " << event.text();
  }

  EventSchemas schemas_;
  std::mutex mutex_;
  std::set<std::string> payloads_;
};

Output& output() {
  static auto* const made =  // GoogleTest owns it
      static_cast<Output*>(::testing::AddGlobalTestEnvironment(new Output));
  return *made;
}
// Before the tests begin: an environment is not torn down otherwise.
[[maybe_unused]] const Output& kOutput = output();

}  // namespace

void record_output(const Emitted& emitted) {
  output().add(emitted);
}

}  // namespace interline::testing

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

#include "base/instant.hpp"
#include "bench.hpp"
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
    for (const std::string& fault : faults_of(emitted)) ADD_FAILURE() << fault;
    if (emitted.root().children().empty() || !is_specified(emitted.payload().ns())) return;
    const std::lock_guard lock(mutex_);
    payloads_.insert(payload_bytes(emitted));
  }

  [[nodiscard]] const EventSchemas& events() const { return events_; }

  void TearDown() override {
    if (payloads_.empty()) return;
    EXPECT_EQ(schema_faults(payloads_), "");
    std::cout << payloads_.size() << " different payloads held against the XML Schemas\n";
  }

 private:
  const EventSchemas events_;
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

std::vector<std::string> faults_of(const Emitted& emitted) {
  std::vector<std::string> faults;
  const auto expect = [&](bool holds, std::string_view what) {
    if (!holds) faults.push_back(std::string(what) + ": " + emitted.bytes);
  };
  std::string from = emitted.attribute("from");
  from.resize(std::min(from.size(), from.find('/')));
  expect(from == kGateway || from.ends_with("@" + std::string(kGateway)), "a foreign sender");
  expect(emitted.root().attribute("to").has_value(), "no addressee");
  const auto has = [&](std::string_view text) {
    return emitted.bytes.find(text) != std::string::npos;
  };
  expect(!has("<![CDATA["), "a CDATA section");
  expect(!has("no-copy"), "a wish for no copies");
  expect(!has(kComponentSecret), "the component's secret");
  if (emitted.root().children().empty()) return faults;
  const xmpp::Element payload = emitted.payload();
  if (payload.is(xmpp::ns::kAgentTask, "event")) {
    const std::string type(payload.attribute("type").value_or(""));
    expect(output().events().holds(type, payload.text()), "no body of an event");
    for (const std::string_view name : {"updatedAt", "createdAt", "expiresAt"}) {
      const std::string time = string_member(payload.text(), name);
      expect(time.empty() || Instant::parse_xep0082(time), "no time of XEP-0082");
    }
  }
  return faults;
}

std::string schema_faults(const std::set<std::string>& payloads) {
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
  for (const std::string& payload : payloads) file << payload << '\n';
  file << "</p:payloads>";
  file.close();
  const std::string command =
      "xmllint --huge --noout --schema " + (folder / "payloads.xsd").string() + " " +
      (folder / "payloads.xml").string() + " > " + (folder / "log").string() + " 2>&1";
  const int status = std::system(command.c_str());
  std::string faults = status == 0 ? "" : read_file(folder / "log") + "xmllint failed\n";
  std::filesystem::remove_all(folder);
  return faults;
}

}  // namespace interline::testing

// What newcomers write into interline.toml, and whether they are told enough to mend it: the line,
// the key, what stands there, and what would be right.
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "app/configuration.hpp"

namespace interline::app {
namespace {

class ConfigurationOfNewcomers : public ::testing::Test {
 protected:
  ConfigurationOfNewcomers() {
    std::string pattern = (std::filesystem::temp_directory_path() / "interline-config-XXXXXX");
    folder_ = mkdtemp(pattern.data());
  }
  ~ConfigurationOfNewcomers() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// The only mistake of a file, without the file's name.
  [[nodiscard]] std::string mistake_of(const std::string& text) const {
    const auto read = parse_configuration(text, folder_ / "interline.toml");
    if (read) return "none";
    std::string all;
    for (const Mistake& mistake : read.error()) all += to_string("", mistake) + "\n";
    return all.substr(1, all.size() - 2);
  }

 private:
  std::filesystem::path folder_;
};

TEST_F(ConfigurationOfNewcomers, IsMendedByWhatIsSaid) {
  std::filesystem::create_directory(folder() / "secrets");
  const std::string somewhere = folder().string();
  struct Row {
    std::string text;
    std::string message;
  };
  const Row rows[] = {
      {"[gateway]\ndata-dir = \"var\"\n",
       "2: [gateway] has an unknown key: data-dir; did you mean data_dir?"},
      {"[http]\nlisten = 8080\n", "2: [http] listen is wrong: expected a string; it is 8080"},
      {"[http]\nlisten = \"localhost:8080\"\n",
       "2: [http] listen is wrong: expected an address and a port, for example \"127.0.0.1:8080\" "
       "or \"*:443\", or \"off\"; it is \"localhost:8080\""},
      {"[xmpp]\ndomain = \"d.example\"\nsecret_file = \"component\"\n",
       "3: [xmpp] secret_file: there is no file " + somewhere +
           "/component (relative paths begin at the configuration's folder)"},
      {"[xmpp]\ndomain = \"d.example\"\nsecret_file = \"secrets\"\n",
       "3: [xmpp] secret_file: " + somewhere + "/secrets is a folder, not a file"},
      {"[[endpoint]]\nname = \"a\"\nruntime = { kind = \"exce\", command = [\"x\"] }\n",
       "3: [[endpoint]] runtime kind is wrong: expected one of \"exec\", \"mcp\", \"script\", "
       "\"builtin\", \"xmpp\"; did "
       "you mean exec?"},
      {"[[endpoint]]\nname = \"a\"\nruntime = \"exec\"\n",
       "3: [[endpoint]] runtime is wrong: expected a table, for example: runtime = { kind = "
       "\"exec\", command = [\"python3\", \"agent.py\"] }; it is \"exec\""},
      {"[[endpoint]]\nname = \"a\"\nruntime = { kind = \"exec\", command = \"python3 a.py\" }\n",
       "3: [[endpoint]] runtime command is wrong: expected an array of strings; it is \"python3 "
       "a.py\""},
      {"[endpoint]\nname = \"a\"\n",
       "1: [endpoint] is written [[endpoint]], in two brackets: there may be several"},
      {"[tasks]\ndrain = \"30\"\n",
       "2: [tasks] drain is wrong: expected a duration from \"0s\" to \"1h\", in ms, s, m, h or d; "
       "it is \"30\""},
      {"[xmpp]\ndomain = \"d.example\"\nsecret = \"s\"\n"
       "admins = [\"a@example.test\", \"b@example.test/phone\"]\n",
       "4: [xmpp] admins is wrong: expected an address without a resource, for example "
       "\"admin@example.org\"; it is \"b@example.test/phone\""},
      {"[gateway]\nlog_level = \"warn\"\n",
       "2: [gateway] log_level is wrong: expected one of \"debug\", \"info\", \"warning\", "
       "\"error\"; it is \"warn\""},
      {"[[grant]]\nprincipals = [\"key:a\"]\nendpoints = \"*\"\n",
       "3: [[grant]] endpoints is wrong: expected an array of strings, for example: endpoints = "
       "[\"*\"]; it is \"*\""},
      {"[gateway]\ntitle = My agents\n",
       "2: Error while parsing value: could not determine value type; texts stand in quotes: "
       "\"text\""},
  };
  for (const Row& row : rows) EXPECT_EQ(mistake_of(row.text), row.message);
}

TEST_F(ConfigurationOfNewcomers, AFileThatIsNotTheirsToReadIsNotCalledAbsent) {
  const auto file = folder() / "theirs";
  std::ofstream(file) << "x";
  std::filesystem::permissions(file, std::filesystem::perms::none);
  const std::string text = "[xmpp]\ndomain = \"d.example\"\nsecret_file = \"theirs\"\n";
  if (::access(file.c_str(), R_OK) == 0) {  // root reads everything
    EXPECT_EQ(mistake_of(text), "none");
  } else {
    EXPECT_EQ(mistake_of(text), "3: [xmpp] secret_file: " + file.string() +
                                    " cannot be read: Permission denied; let the gateway's user "
                                    "read it (chown, chmod)");
  }
}

}  // namespace
}  // namespace interline::app

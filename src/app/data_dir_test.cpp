// The data directory: for one user alone, and no file of another's is written through a link.
#include "app/data_dir.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <unistd.h>

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/pid_file.hpp"
#include "app/private_files.hpp"

namespace interline::app {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class DataDir : public ::testing::Test {
 protected:
  DataDir() {
    std::string pattern = std::filesystem::temp_directory_path() / "interline-data-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~DataDir() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void mode(const std::string& name, mode_t bits) const {
    ASSERT_EQ(::chmod((folder_ / name).c_str(), bits), 0);
  }
  [[nodiscard]] std::filesystem::path made() const { return folder_ / "var"; }

  std::filesystem::path folder_;
};

TEST_F(DataDir, IsMadeForItsOwnerAlone) {
  ASSERT_TRUE(make_data_dir(made()));
  struct stat status {};
  ASSERT_EQ(::stat(made().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0700U);
}

TEST_F(DataDir, WhereEveryUserMayWrite_IsRefused) {
  ASSERT_TRUE(make_data_dir(made()));
  for (const mode_t bits : {0777U, 01777U, 0702U}) {
    mode("var", bits);
    const auto refused = make_data_dir(made());
    ASSERT_FALSE(refused) << bits;
    EXPECT_THAT(refused.error().message, HasSubstr("chmod 700 " + made().string()));
  }
  mode("var", 0755);
  EXPECT_TRUE(make_data_dir(made()));
}

TEST_F(DataDir, ThatIsAFile_IsSaidToBeOne) {
  write("var", "");
  EXPECT_THAT(make_data_dir(made()).error().message, HasSubstr("is a file"));
}

TEST_F(DataDir, ItsKeyIsKept) {
  const auto key = token_key(folder_);
  ASSERT_TRUE(key);
  EXPECT_EQ(key->size(), 32U);
  EXPECT_EQ(token_key(folder_).value(), *key);
}

TEST_F(DataDir, AKeyThatOthersMayRead_IsRefused) {
  ASSERT_TRUE(token_key(folder_));
  for (const mode_t bits : {0604U, 0640U, 0602U}) {
    mode("token.key", bits);
    EXPECT_THAT(token_key(folder_).error().message, HasSubstr("chmod 600")) << bits;
  }
  mode("token.key", 0400);
  EXPECT_TRUE(token_key(folder_));
}

TEST_F(DataDir, ALinkInTheWayOfANewFile_IsNotFollowed) {
  write("victim", "precious");
  std::filesystem::create_symlink(folder_ / "victim", folder_ / "token.key.new");
  std::filesystem::create_symlink(folder_ / "victim", folder_ / "interline.pid.new");
  ASSERT_TRUE(token_key(folder_));
  const auto pid = PidFile::write(folder_);
  ASSERT_TRUE(pid);
  EXPECT_EQ(read("victim"), "precious");
  EXPECT_EQ(read("interline.pid"), std::to_string(::getpid()) + "\n");
  EXPECT_FALSE(std::filesystem::is_symlink(folder_ / "token.key"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder_ / "interline.pid"));
}

TEST_F(DataDir, APidFileThatCannotBeWritten_IsLeftAlone) {
  write("interline.pid", "1\n");
  std::filesystem::create_directory(folder_ / "interline.pid.new");
  EXPECT_FALSE(PidFile::write(folder_));
  EXPECT_EQ(read("interline.pid"), "1\n");
}

TEST_F(DataDir, SecretsThatEveryUserMayReadAreNamed) {
  Configuration configuration;
  configuration.gateway.data_dir = made();
  configuration.http.tls_key = folder_ / "key.pem";
  configuration.xmpp.emplace().secret_file = folder_ / "secret";
  const auto keys = [&configuration] {
    std::vector<std::string> all;
    for (const OpenSecret& one : open_secrets(configuration)) all.push_back(one.key);
    return all;
  };
  EXPECT_THAT(keys(), ElementsAre());  // nothing is there
  ASSERT_TRUE(make_data_dir(made()));
  write("key.pem", "k");
  write("secret", "s");
  write("var/interline.db", "d");
  mode("key.pem", 0640);
  mode("secret", 0600);
  mode("var/interline.db", 0644);
  EXPECT_THAT(keys(), ElementsAre());  // a group's, and what nobody else gets to
  mode("key.pem", 0644);
  mode("secret", 0602);
  mode("var", 0711);
  EXPECT_THAT(keys(), ElementsAre("[http] tls_key", "[xmpp] secret_file", "[gateway] data_dir"));
}

}  // namespace
}  // namespace interline::app

#include "net/unix_stream.hpp"

#include <filesystem>
#include <fstream>
#include <unistd.h>
#include <utility>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "net/test_support.hpp"

namespace interline::net {
namespace {

using testing::run;

constexpr Duration kSoon{10'000};

awaitable<Peer> peer_of_accepted(Listener& listener, std::string path) {
  auto client = co_await connect_unix(path, kSoon);
  EXPECT_TRUE(client);
  auto server = co_await listener.accept();
  EXPECT_TRUE(server);
  co_return (*server)->peer();
}

TEST(UnixListen, ThePeersUserComesFromTheSystem) {
  asio::io_context context;
  const testing::TemporaryFolder folder;
  const auto listener = listen_unix(context.get_executor(), folder.file("s"));
  const Peer peer = run(context, peer_of_accepted(**listener, folder.file("s")));
  EXPECT_EQ(peer.user, ::getuid());
  EXPECT_EQ(peer.process, ::getpid());
  EXPECT_EQ(peer.description, "unix:uid=" + std::to_string(::getuid()));
  EXPECT_FALSE(peer.address);
}

TEST(UnixListen, TheSocketHasItsModeAndVanishesOnClose) {
  asio::io_context context;
  const testing::TemporaryFolder folder;
  {
    const auto listener = listen_unix(context.get_executor(), folder.file("s"), 0640);
    struct stat status {};
    ASSERT_EQ(::stat(folder.file("s").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0640U);
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("s")));
}

TEST(UnixListen, ADeadProcessesSocketIsReplacedAServedOneIsNot) {
  asio::io_context context;
  const testing::TemporaryFolder folder;
  const std::string path = folder.file("s");
  auto first = listen_unix(context.get_executor(), path);
  ASSERT_TRUE(first);
  EXPECT_FALSE(listen_unix(context.get_executor(), path)) << "somebody serves it";
  // What kill -9 leaves: the file without a listener.
  const std::string kept = folder.file("kept");
  std::filesystem::rename(path, kept);
  (*first)->close();
  EXPECT_TRUE(std::filesystem::exists(kept));
  EXPECT_TRUE(listen_unix(context.get_executor(), kept));
}

TEST(UnixListen, AnotherKindOfFileStaysUntouched) {
  asio::io_context context;
  const testing::TemporaryFolder folder;
  std::ofstream(folder.file("data")) << "precious";
  EXPECT_FALSE(listen_unix(context.get_executor(), folder.file("data")));
  EXPECT_TRUE(std::filesystem::is_regular_file(folder.file("data")));
}

TEST(UnixPaths, EmptyAndTooLongAreMalformed) {
  asio::io_context context;
  for (const std::string& path : {std::string(), std::string(108, 'x')}) {
    EXPECT_EQ(listen_unix(context.get_executor(), path).error().kind, ErrorKind::malformed);
    EXPECT_EQ(run(context, connect_unix(path, kSoon)).error().kind, ErrorKind::malformed);
  }
}

TEST(UnixConnect, NobodyThereIsUnavailable) {
  asio::io_context context;
  const auto stream = run(context, connect_unix("/nonexistent/socket", kSoon));
  EXPECT_EQ(stream.error().message, "connect to /nonexistent/socket: No such file or directory");
}

}  // namespace
}  // namespace interline::net

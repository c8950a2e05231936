#include "runtimes/mcp/kept_token.hpp"

#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <system_error>
#include <unistd.h>

#include <sys/stat.h>

#include "json/parse.hpp"
#include "json/writer.hpp"

namespace interline::runtimes::mcp {
namespace {

constexpr std::size_t kMostBytes = 262'144;

std::unexpected<Error> cannot(const std::filesystem::path& file, int error) {
  return fail(ErrorKind::unavailable,
              "cannot write " + file.string() + ": " + std::generic_category().message(error));
}

std::string text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return std::string(value == nullptr ? "" : value->get_string().value_or(""));
}

std::int64_t milliseconds_of(SystemTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return ::fsync(file) == 0;
}

}  // namespace

std::string write_kept_token(const KeptToken& kept) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("server", std::string_view(kept.server_url));
  writer.member("issuer", std::string_view(kept.from.issuer));
  writer.member("token_endpoint", std::string_view(kept.from.token_endpoint));
  writer.name("auth_methods");
  writer.begin_array();
  for (const std::string& method : kept.from.token_auth_methods) {
    writer.value(std::string_view(method));
  }
  writer.end_array();
  writer.member("client_id", std::string_view(kept.client.id));
  writer.member("client_secret", std::string_view(kept.client.secret));
  writer.member("auth_method", std::string_view(kept.client.auth_method));
  writer.member("resource", std::string_view(kept.resource));
  writer.member("scope", std::string_view(kept.scope));
  writer.member("access_token", std::string_view(kept.token.access));
  writer.member("refresh_token", std::string_view(kept.token.refresh));
  if (kept.expires) writer.member("expires_ms", milliseconds_of(*kept.expires));
  writer.end_object();
  return text;
}

Result<KeptToken> read_kept_token(std::string_view text) {
  const auto parsed = json::parse_borrowed(text);
  if (!parsed || !parsed->root().is_object()) {
    return fail(ErrorKind::malformed, "This is no token that was kept.");
  }
  const json::Value& root = parsed->root();
  KeptToken kept;
  kept.server_url = text_of(root, "server");
  kept.from.issuer = text_of(root, "issuer");
  kept.from.token_endpoint = text_of(root, "token_endpoint");
  const json::Value* methods = root.find("auth_methods");
  if (methods != nullptr && methods->is_array()) {
    for (const json::Value& method : methods->items()) {
      if (method.is_string()) kept.from.token_auth_methods.emplace_back(method.as_string());
    }
  }
  kept.client.id = text_of(root, "client_id");
  kept.client.secret = text_of(root, "client_secret");
  kept.client.auth_method = text_of(root, "auth_method");
  kept.resource = text_of(root, "resource");
  kept.scope = text_of(root, "scope");
  kept.token.access = text_of(root, "access_token");
  kept.token.refresh = text_of(root, "refresh_token");
  const json::Value* expires = root.find("expires_ms");
  if (expires != nullptr && expires->get_int64()) {
    kept.expires = SystemTime(std::chrono::milliseconds(*expires->get_int64()));
  }
  if (kept.server_url.empty() || kept.token.access.empty() || kept.from.token_endpoint.empty()) {
    return fail(ErrorKind::malformed, "This is no token that was kept.");
  }
  return kept;
}

std::optional<KeptToken> load_token(const std::filesystem::path& file,
                                    std::string_view server_url) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return std::nullopt;
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (text.size() > kMostBytes) return std::nullopt;
  auto kept = read_kept_token(text);
  if (!kept || kept->server_url != server_url) return std::nullopt;
  return *std::move(kept);
}

Result<void> save_token(const std::filesystem::path& file, const KeptToken& kept) {
  if (::mkdir(file.parent_path().c_str(), 0700) != 0 && errno != EEXIST) {
    return cannot(file.parent_path(), errno);
  }
  const std::string beside = file.string() + ".new";
  (void)::unlink(beside.c_str());
  const int opened = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (opened < 0) return cannot(beside, errno);
  const bool written = write_all(opened, write_kept_token(kept));
  const int error = errno;
  ::close(opened);
  if (!written) return cannot(beside, error);
  if (::rename(beside.c_str(), file.c_str()) != 0) return cannot(file, errno);
  return {};
}

}  // namespace interline::runtimes::mcp

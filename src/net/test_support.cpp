#include "net/test_support.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <unistd.h>

#include <boost/asio/detached.hpp>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

namespace interline::net::testing {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

Key make_key() {
  return {EVP_EC_gen("P-256"), EVP_PKEY_free};
}

void add_extension(X509* certificate, int kind, const char* value) {
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value);
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

Certificate make_certificate(const char* name, long serial, EVP_PKEY* key, X509* issuer,
                             EVP_PKEY* issuer_key, const char* names) {
  Certificate certificate(X509_new(), X509_free);
  X509_set_version(certificate.get(), X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 86'400);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  X509* signer = issuer == nullptr ? certificate.get() : issuer;
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(signer));
  if (issuer == nullptr)
    add_extension(certificate.get(), NID_basic_constraints, "critical,CA:TRUE");
  if (names != nullptr) add_extension(certificate.get(), NID_subject_alt_name, names);
  X509_sign(certificate.get(), issuer_key, EVP_sha256());
  return certificate;
}

void write_certificate(const std::string& path, X509* certificate) {
  FILE* file = std::fopen(path.c_str(), "w");
  PEM_write_X509(file, certificate);
  std::fclose(file);
}

void write_key(const std::string& path, EVP_PKEY* key) {
  FILE* file = std::fopen(path.c_str(), "w");
  PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
}

}  // namespace

void run(asio::io_context& context, awaitable<void> work) {
  std::exception_ptr failure;
  bool done = false;
  asio::co_spawn(context, std::move(work), [&](std::exception_ptr error) {
    failure = error;
    done = true;
    context.stop();
  });
  context.restart();
  context.run_for(kHung);
  if (failure) std::rethrow_exception(failure);
  if (!done) throw std::runtime_error("the coroutine hangs");
}

void spawn(const Executor& executor, awaitable<void> work) {
  asio::co_spawn(executor, std::move(work), [](std::exception_ptr error) {
    if (error) std::rethrow_exception(error);
  });
}

awaitable<std::string> read_to_end(Stream& stream) {
  std::string all;
  std::array<char, 4096> buffer;
  for (;;) {
    const std::span<char> target(buffer);
    auto got = co_await stream.read_some(target);
    if (!got || *got == 0) co_return all;
    all.append(buffer.data(), *got);
  }
}

awaitable<std::string> read_at_least(Stream& stream, std::size_t size) {
  std::string all;
  std::array<char, 4096> buffer;
  while (all.size() < size) {
    const std::span<char> target(buffer);
    auto got = co_await stream.read_some(target);
    if (!got || *got == 0) break;
    all.append(buffer.data(), *got);
  }
  co_return all;
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "interline-net-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

TestCertificates::TestCertificates()
    : authority(folder.file("authority.pem")),
      server_certificate(folder.file("server.pem")),
      server_key(folder.file("server.key")),
      client_certificate(folder.file("client.pem")),
      client_key(folder.file("client.key")) {
  const Key root_key = make_key();
  const Key web_key = make_key();
  const Key user_key = make_key();
  const Certificate root =
      make_certificate("Test Authority", 1, root_key.get(), nullptr, root_key.get(), nullptr);
  const Certificate web = make_certificate("localhost", 2, web_key.get(), root.get(),
                                           root_key.get(), "DNS:localhost,IP:127.0.0.1");
  const Certificate user =
      make_certificate("client-7", 3, user_key.get(), root.get(), root_key.get(), nullptr);
  write_certificate(authority, root.get());
  write_certificate(server_certificate, web.get());
  write_key(server_key, web_key.get());
  write_certificate(client_certificate, user.get());
  write_key(client_key, user_key.get());
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    (void)entry;
    ++count;
  }
  return count;
}

}  // namespace interline::net::testing

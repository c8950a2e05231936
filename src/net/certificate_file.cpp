#include "net/certificate_file.hpp"

#include <ctime>
#include <memory>

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

namespace interline::net {

Result<std::chrono::sys_seconds> certificate_end(const std::string& file) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> input(BIO_new_file(file.c_str(), "r"), BIO_free);
  const std::unique_ptr<X509, decltype(&X509_free)> certificate(
      input ? PEM_read_bio_X509(input.get(), nullptr, nullptr, nullptr) : nullptr, X509_free);
  std::tm end{};
  const bool read =
      certificate && ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &end) == 1;
  ERR_clear_error();
  if (!read) return fail(ErrorKind::unavailable, "no certificate can be read in " + file);
  return std::chrono::sys_seconds(std::chrono::seconds(::timegm(&end)));
}

}  // namespace interline::net

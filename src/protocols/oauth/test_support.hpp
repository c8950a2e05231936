// An issuer for tests: keys of its own, and tokens signed with them.
#pragma once

#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include <cjose/cjose.h>

#include "json/parse.hpp"

namespace interline::protocols::oauth::testing {

class TestKey {
 public:
  static TestKey rsa(std::string_view kid, std::size_t bits = 2'048) {
    return TestKey(cjose_jwk_create_RSA_random(bits, kExponent, sizeof kExponent, nullptr), kid);
  }
  static TestKey elliptic(std::string_view kid, cjose_jwk_ec_curve curve = CJOSE_JWK_EC_P_256) {
    return TestKey(cjose_jwk_create_EC_random(curve, nullptr), kid);
  }
  static TestKey secret(std::string_view text) {
    return TestKey(cjose_jwk_create_oct_spec(reinterpret_cast<const std::uint8_t*>(text.data()),
                                             text.size(), nullptr),
                   "secret");
  }

  /// JWK text; `members` are put before its own: `"use":"sig"`.
  [[nodiscard]] std::string jwk(std::string_view members = {}, bool with_private = false) const {
    char* text = cjose_jwk_to_json(key_.get(), with_private, nullptr);
    std::string out(text);
    cjose_get_dealloc()(text);
    return members.empty() ? out : "{" + std::string(members) + "," + out.substr(1);
  }

  /// `header` is a JSON object text of strings; its `alg` says how it is signed.
  [[nodiscard]] std::string sign(std::string_view header, std::string_view payload) const {
    cjose_err error{};
    const std::unique_ptr<cjose_header_t, Release> head(cjose_header_new(&error));
    const auto document = json::parse(header);
    for (const json::Member& member : document->root().members()) {
      cjose_header_set(head.get(), std::string(member.name()).c_str(),
                       std::string(member.value.as_string()).c_str(), &error);
    }
    const std::unique_ptr<cjose_jws_t, Release> signature(cjose_jws_sign(
        key_.get(), head.get(), reinterpret_cast<const std::uint8_t*>(payload.data()),
        payload.size(), &error));
    if (!signature) throw std::runtime_error(error.message);
    const char* text = nullptr;
    if (!cjose_jws_export(signature.get(), &text, &error)) throw std::runtime_error(error.message);
    return text;
  }

 private:
  struct Release {
    void operator()(cjose_jwk_t* key) const { cjose_jwk_release(key); }
    void operator()(cjose_jws_t* signature) const { cjose_jws_release(signature); }
    void operator()(cjose_header_t* header) const { cjose_header_release(header); }
  };
  static constexpr std::uint8_t kExponent[] = {1, 0, 1};

  TestKey(cjose_jwk_t* key, std::string_view kid) : key_(key) {
    if (key == nullptr || !cjose_jwk_set_kid(key, kid.data(), kid.size(), nullptr)) {
      throw std::runtime_error("no key");
    }
  }
  std::unique_ptr<cjose_jwk_t, Release> key_;
};

inline std::string key_set(std::initializer_list<std::string> keys) {
  std::string out = R"({"keys":[)";
  for (const std::string& key : keys) out.append(out.ends_with('[') ? "" : ",").append(key);
  return out + "]}";
}

}  // namespace interline::protocols::oauth::testing

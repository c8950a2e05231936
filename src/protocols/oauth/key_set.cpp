#include "protocols/oauth/key_set.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include <cjose/cjose.h>

#include "json/parse.hpp"

namespace interline::protocols::oauth {
namespace {

struct ReleaseKey {
  void operator()(cjose_jwk_t* key) const { cjose_jwk_release(key); }
};
struct ReleaseSignature {
  void operator()(cjose_jws_t* signature) const { cjose_jws_release(signature); }
};

/// Which key an algorithm takes: its type, and its curve where it is elliptic.
struct AlgorithmRow {
  std::string_view name;
  std::string_view type;
  std::string_view curve;
};
constexpr std::array kAlgorithms = {
    AlgorithmRow{"RS256", "RSA", ""},     AlgorithmRow{"RS384", "RSA", ""},
    AlgorithmRow{"RS512", "RSA", ""},     AlgorithmRow{"PS256", "RSA", ""},
    AlgorithmRow{"PS384", "RSA", ""},     AlgorithmRow{"PS512", "RSA", ""},
    AlgorithmRow{"ES256", "EC", "P-256"}, AlgorithmRow{"ES384", "EC", "P-384"},
    AlgorithmRow{"ES512", "EC", "P-521"},
};

const AlgorithmRow* row_of(std::string_view algorithm) {
  const auto* found = std::ranges::find(kAlgorithms, algorithm, &AlgorithmRow::name);
  return found == kAlgorithms.end() ? nullptr : found;
}

std::string text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return std::string(value == nullptr ? "" : value->get_string().value_or(""));
}

/// RFC 7517 section 4.3: where it is said what a key is for, it is for verifying.
bool may_verify(const json::Value& key) {
  if (const json::Value* use = key.find("use"); use != nullptr && use->get_string() != "sig") {
    return false;
  }
  const json::Value* operations = key.find("key_ops");
  if (operations == nullptr) return true;
  return operations->is_array() &&
         std::ranges::any_of(operations->items(), [](const json::Value& operation) {
           return operation.get_string() == "verify";
         });
}

/// The same key by its public members alone: nothing else reaches the library.
std::optional<std::string> public_part(const json::Value& key, std::string_view type) {
  constexpr std::array kRsa = {"kty", "n", "e"};
  constexpr std::array kElliptic = {"kty", "crv", "x", "y"};
  std::string out = "{";
  const auto take = [&](const auto& names) {
    for (const std::string_view name : names) {
      const json::Value* value = key.find(name);
      if (value == nullptr || !value->is_string()) return false;
      if (out.size() > 1) out += ',';
      out.append("\"").append(name).append("\":").append(value->source());
    }
    return true;
  };
  if (!(type == "RSA" ? take(kRsa) : take(kElliptic))) return std::nullopt;
  return out + "}";
}

}  // namespace

struct KeySet::Key {
  std::string kid;
  std::string type;
  std::string curve;
  std::string algorithm;  // "" where the key does not say
  std::unique_ptr<cjose_jwk_t, ReleaseKey> key;

  [[nodiscard]] bool fits(const AlgorithmRow& row) const {
    return type == row.type && curve == row.curve && (algorithm.empty() || algorithm == row.name);
  }

  [[nodiscard]] static std::optional<Key> read(const json::Value& value) {
    if (!value.is_object() || !may_verify(value)) return std::nullopt;
    Key made;
    made.kid = text_of(value, "kid");
    made.type = text_of(value, "kty");
    made.algorithm = text_of(value, "alg");
    if (made.type != "RSA" && made.type != "EC") return std::nullopt;
    if (made.type == "EC") made.curve = text_of(value, "crv");
    const auto text = public_part(value, made.type);
    if (!text) return std::nullopt;
    cjose_err error{};
    made.key.reset(cjose_jwk_import(text->data(), text->size(), &error));
    if (!made.key) return std::nullopt;
    if (made.type == "RSA" && cjose_jwk_get_keysize(made.key.get(), &error) < kMinRsaBits) {
      return std::nullopt;
    }
    return made;
  }
};

Result<KeySet> KeySet::read(std::string_view text) {
  json::Limits limits;
  limits.bytes = kMaxBytes;
  limits.depth = 8;
  const auto document = json::parse(text, limits);
  if (!document) return fail(ErrorKind::malformed, "a key set must be a JSON object");
  const json::Value* keys = document->root().find("keys");
  if (keys == nullptr || !keys->is_array()) {
    return fail(ErrorKind::malformed, "a key set must have an array `keys`");
  }
  if (keys->size() > kMaxKeys) {
    return fail(ErrorKind::malformed, "a key set must have at most 100 keys");
  }
  auto made = std::make_shared<std::vector<Key>>();
  for (const json::Value& value : keys->items()) {
    if (auto key = Key::read(value)) made->push_back(*std::move(key));
  }
  KeySet set;
  set.keys_ = std::move(made);
  return set;
}

std::size_t KeySet::size() const {
  return keys_ ? keys_->size() : 0;
}

bool KeySet::has(std::string_view kid) const {
  return keys_ && std::ranges::any_of(*keys_, [&](const Key& key) { return key.kid == kid; });
}

bool SignatureCheck::known(std::string_view algorithm) {
  return row_of(algorithm) != nullptr;
}

Signature SignatureCheck::verify(const KeySet& keys, std::string_view compact,
                                 std::string_view algorithm, std::string_view kid) {
  const AlgorithmRow* row = row_of(algorithm);
  if (row == nullptr || !keys.keys_) return Signature::unknown_key;
  bool tried = false;
  for (const KeySet::Key& key : *keys.keys_) {
    if (!key.fits(*row) || (!kid.empty() && key.kid != kid)) continue;
    tried = true;
    cjose_err error{};
    const std::unique_ptr<cjose_jws_t, ReleaseSignature> signature(
        cjose_jws_import(compact.data(), compact.size(), &error));
    if (!signature) return Signature::invalid;
    if (cjose_jws_verify(signature.get(), key.key.get(), &error)) return Signature::valid;
  }
  return tried ? Signature::invalid : Signature::unknown_key;
}

}  // namespace interline::protocols::oauth

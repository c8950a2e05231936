#include "bindings/xmpp/hash_element.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/base64.hpp"
#include "base/bytes.hpp"
#include "bindings/xmpp/element_shape.hpp"
#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {

bool ContentHash::equals(const Digest& sha256) const {
  return algorithm == kSha256Algorithm && digest == as_text(sha256);
}

Result<ContentHash> read_hash(Element hash) {
  if (!hash.is(ns::kHashes, element::kHash)) return fail(ErrorKind::malformed, "missing hash");
  const std::string_view algorithm = hash.attribute(attribute::kAlgorithm).value_or("");
  if (algorithm.empty()) return fail(ErrorKind::malformed, "missing attribute algo");
  if (!hash.children().empty()) return fail(ErrorKind::malformed, "element where a hash belongs");
  auto digest = decode_base64(trim_xml_space(hash.text()));
  if (!digest || digest->empty()) return fail(ErrorKind::malformed, "hash is not Base64");
  if (algorithm == kSha256Algorithm && digest->size() != Digest().size()) {
    return fail(ErrorKind::malformed, "hash is not of 32 bytes");
  }
  return ContentHash{std::string(algorithm), *std::move(digest)};
}

Result<ContentHash> read_contained_hash(Element container) {
  static constexpr std::array<ChildShape, 1> kHash = {{{ns::kHashes, element::kHash, true}}};
  static constexpr ElementShape kShape = {.required = {}, .optional = {}, .children = kHash};
  if (auto shape = check_shape(container, kShape); !shape) return std::unexpected(shape.error());
  return read_hash(container.children().front());
}

void write_hash(XmlWriter& w, const Digest& sha256) {
  w.begin(element::kHash, ns::kHashes);
  w.attribute(attribute::kAlgorithm, kSha256Algorithm);
  w.text(encode_base64(sha256));
  w.end();
}

}  // namespace interline::xmpp

// What of a manifest stanzas can carry. Over XMPP nothing larger is registered; an endpoint of the
// configuration may have more, since other networks carry it: then this wire offers no manifest.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "catalog/manifest.hpp"

namespace interline::xmpp {

/// Whether the manifest can be retrieved in a stanza of at most `most` bytes; then each of its
/// schemas can be too.
[[nodiscard]] bool fits_stanza(const catalog::Manifest& manifest, std::size_t most);

/// fits_stanza() of one `most`, counted once a manifest: a large one is asked about again and
/// again. Any thread.
class ManifestFits {
 public:
  explicit ManifestFits(std::size_t most) : most_(most) {}

  [[nodiscard]] bool operator()(const catalog::Manifest& manifest) const;
  /// How many were counted, for tests.
  [[nodiscard]] std::size_t counted() const;

 private:
  const std::size_t most_;
  mutable std::mutex mutex_;
  mutable std::map<Digest, bool> known_;  // guarded by mutex_; by the manifest's hash
  mutable std::size_t counted_ = 0;       // guarded by mutex_
};

/// What nobody can retrieve over XMPP, in words for the operator.
struct Misfit {
  std::string tool;      ///< "": the manifest itself
  std::string location;  ///< JSON Pointer into the tool's definition
  std::string loss;

  Misfit(std::string of, std::string at, std::string what)
      : tool(std::move(of)), location(std::move(at)), loss(std::move(what)) {}
};
[[nodiscard]] std::vector<Misfit> misfits(const catalog::Manifest& manifest, std::size_t most);

}  // namespace interline::xmpp

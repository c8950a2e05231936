// What of a manifest stanzas can carry. Over XMPP nothing larger is registered; an endpoint of the
// configuration may have more, since other networks carry it: then this wire offers no manifest.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "catalog/manifest.hpp"

namespace interline::xmpp {

/// Whether the manifest can be retrieved in a stanza of at most `most` bytes; then each of its
/// schemas can be too.
[[nodiscard]] bool fits_stanza(const catalog::Manifest& manifest, std::size_t most);

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

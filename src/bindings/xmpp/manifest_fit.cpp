#include "bindings/xmpp/manifest_fit.hpp"

#include <string_view>

#include "bindings/xmpp/tool_fit.hpp"
#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {
namespace {

// What an answer with a manifest or a schema has besides it, at most: two addresses at their
// longest, hashes, names.
constexpr std::size_t kAroundText = 12'288;
// Of one character in its longest form, `&quot;`.
constexpr std::size_t kLongestCharacter = 6;

constexpr std::size_t kMostKnown = 10'000;  // a hash and a word each

/// Most need no counting.
bool surely_fits(std::string_view text, std::size_t most) {
  return text.size() * kLongestCharacter + kAroundText <= most;
}

bool fits(std::string_view text, std::size_t most) {
  if (surely_fits(text, most)) return true;
  return text_wire_size(text) + kAroundText <= most;
}

}  // namespace

bool fits_stanza(const catalog::Manifest& manifest, std::size_t most) {
  return fits(manifest.text, most);
}

bool ManifestFits::operator()(const catalog::Manifest& manifest) const {
  if (surely_fits(manifest.text, most_)) return true;
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(manifest.hash);
  if (known != known_.end()) return known->second;
  if (known_.size() >= kMostKnown) known_.clear();
  ++counted_;
  return known_[manifest.hash] = fits_stanza(manifest, most_);
}

std::size_t ManifestFits::counted() const {
  const std::lock_guard lock(mutex_);
  return counted_;
}

std::vector<Misfit> misfits(const catalog::Manifest& manifest, std::size_t most) {
  std::vector<Misfit> found = misnamed_tools(manifest, most);
  if (fits_stanza(manifest, most)) return found;
  found.emplace_back("", "",
                     "the manifest is larger than an XMPP stanza may be (" +
                         std::to_string(text_wire_size(manifest.text)) + " bytes, stanza_out " +
                         std::to_string(most) +
                         "): over XMPP its tools can be called, and read one by one, but the "
                         "manifest cannot be retrieved");
  const auto schema = [&](const catalog::Tool& tool, const char* location, std::string_view text) {
    if (fits(text, most)) return;
    found.emplace_back(tool.name, location,
                       "the schema is larger than an XMPP stanza may be: over XMPP nobody can "
                       "retrieve it");
  };
  for (const catalog::Tool& tool : manifest.tools) {
    schema(tool, "/inputSchema", tool.input_schema_text);
    schema(tool, "/outputSchema", tool.output_schema_text);
  }
  return found;
}

}  // namespace interline::xmpp

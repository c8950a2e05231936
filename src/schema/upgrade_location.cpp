// Where things stand in the draft-07 text, for errors and for the list of changes.
#include <algorithm>

#include "base/utf8.hpp"
#include "json/pointer.hpp"
#include "schema/upgrade_model.hpp"

namespace interline::schema::upgrading {
namespace {

constexpr std::size_t kLocationBytes = 256;

/// The pointer with its middle left out, where it is longer than what is reported.
std::string cut(const std::string& pointer) {
  if (pointer.size() <= kLocationBytes) return pointer;
  constexpr std::string_view kGap = "...";
  const std::size_t half = (kLocationBytes - kGap.size()) / 2;
  std::size_t tail = pointer.size() - half;
  while (tail < pointer.size() && (static_cast<unsigned char>(pointer[tail]) & 0xC0U) == 0x80U) {
    ++tail;
  }
  std::string out(cut_utf8(pointer, half));
  out += kGap;
  out.append(pointer, tail);
  return out;
}

/// Long names are cut first, so that building a location costs little, whatever its names.
void append_name(std::string& pointer, std::string_view name) {
  json::append_token(pointer, cut_utf8(name, kLocationBytes));
}

void append_step(std::string& pointer, const Step& step) {
  append_name(pointer, step.keyword);
  if (step.name) append_name(pointer, *step.name);
  if (step.index) json::append_index(pointer, *step.index);
}

}  // namespace

std::string Model::location_of(const Site& site, std::string_view keyword) const {
  std::vector<const Site*> chain;
  const Site* at = &site;
  for (; at->parent != kNone; at = &sites_[at->parent]) chain.push_back(at);
  std::string pointer;
  if (at->stray != kNone) pointer = location_of(strays_[at->stray]);
  std::ranges::reverse(chain);
  for (const Site* each : chain) append_step(pointer, each->step);
  if (!keyword.empty()) append_name(pointer, keyword);
  return cut(pointer);
}

std::string Model::location_of(const Stray& stray) const {
  return cut(location_of(sites_[resources_[stray.resource].root]) + stray.pointer);
}

std::vector<const Stray*> Model::strays_of(const Site& site) const {
  std::vector<const Stray*> found;
  if (!is_resource_root(site)) return found;
  for (const std::uint32_t number : resources_[site.resource].strays) {
    if (strays_[number].used) found.push_back(&strays_[number]);
  }
  return found;
}

std::unexpected<CompileError> Model::error(CompileErrorCode code, std::uint32_t site,
                                           std::string_view keyword,
                                           std::string_view message) const {
  return std::unexpected(
      CompileError{code, "", location_of(sites_[site], keyword), std::string(message)});
}

}  // namespace interline::schema::upgrading

#include "cli/pages.hpp"

#include <algorithm>

#include "cli/gateway_verb.hpp"

namespace interline::cli {
namespace {

constexpr std::size_t kPage = 100;

/// Code points of valid UTF-8: close enough to columns for a list.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::expected<Listed, int> for_each_row(Streams& io, const ControlClient& gateway,
                                        const std::string& target, const std::string& member,
                                        std::size_t most, const std::string& after,
                                        const std::function<void(const json::Value&)>& take) {
  Listed listed;
  listed.next = after;
  while (most > 0) {
    std::string page = target + (target.find('?') == std::string::npos ? "?" : "&") +
                       "limit=" + std::to_string(std::min(most, kPage));
    if (!listed.next.empty()) page += "&after=" + path_segment(listed.next);
    const auto answer =
        run_to_end(gateway.repeatable_request(net::http::Method::get, std::move(page)));
    if (!answer) return std::unexpected(complain_of(io, answer.error()));
    const auto parsed = parse_gateway_json(*answer);
    const json::Value* rows = parsed ? parsed->root().find(member) : nullptr;
    if (rows == nullptr || !rows->is_array()) {
      io.complain("the gateway's answer cannot be read");
      return std::unexpected(kNo);
    }
    for (const json::Value& row : rows->items()) take(row);
    most -= std::min(most, rows->size());
    listed.total = shown(parsed->root(), "total");
    const json::Value* next = parsed->root().find("next");
    const bool more = next != nullptr && next->is_string() && rows->size() > 0;
    listed.next = more ? std::string(next->as_string()) : std::string();
    if (!more) break;
  }
  return listed;
}

std::string table_text(const std::vector<std::string>& head,
                       const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(head.size());
  const auto measure = [&widths](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width_of(row[i]));
  };
  measure(head);
  std::ranges::for_each(rows, measure);
  std::string text;
  const auto write = [&text, &widths](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text.append(widths[i] - width_of(row[i]) + 2, ' ');
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    text += '\n';
  };
  write(head);
  std::ranges::for_each(rows, write);
  return text;
}

}  // namespace interline::cli

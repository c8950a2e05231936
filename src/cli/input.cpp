#include "cli/input.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace interline::cli {
namespace {

// A size and a length that json::Value can hold, and a nesting that the walks over values are made
// for.
constexpr std::size_t kMostBytes = (std::size_t{1} << 28U) - 1;
constexpr std::size_t kMostDepth = 1'000;

struct AdviceRow {
  json::ParseErrorCode code;
  std::string_view advice;
};

// What is not here is mended where the error says it is.
constexpr AdviceRow kAdvice[] = {
    {json::ParseErrorCode::unexpected_end, "the text was cut short"},
    {json::ParseErrorCode::trailing_data, "one JSON value a text"},
    {json::ParseErrorCode::invalid_utf8, "convert the text to UTF-8"},
    {json::ParseErrorCode::lone_surrogate, "no Unicode character has that escape"},
    {json::ParseErrorCode::control_character, "escape it, as in \\u000a"},
    {json::ParseErrorCode::number_overflow, "write such a number as a string"},
    {json::ParseErrorCode::duplicate_name, "keep one of the members"},
    {json::ParseErrorCode::too_many_bytes, "raise the limit with --max-bytes"},
    {json::ParseErrorCode::too_deep, "raise the limit with --max-depth"},
    {json::ParseErrorCode::string_too_long, "raise the limit with --max-bytes"},
    {json::ParseErrorCode::too_many_members, "raise the limit with --max-bytes"},
    {json::ParseErrorCode::too_many_elements, "raise the limit with --max-bytes"},
    {json::ParseErrorCode::too_many_nodes, "raise the limit with --max-bytes"},
    {json::ParseErrorCode::number_too_long, "write such a number as a string"},
};

std::string_view advice_for(json::ParseErrorCode code) {
  const auto* row = std::ranges::find(kAdvice, code, &AdviceRow::code);
  return row == std::end(kAdvice) ? std::string_view("mend the text there") : row->advice;
}

/// A descriptor that is closed at the end, unless it is standard input.
class Source {
 public:
  explicit Source(const std::string& path)
      : standard_(path.empty() || path == "-"),
        descriptor_(standard_ ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  ~Source() {
    if (!standard_ && descriptor_ >= 0) ::close(descriptor_);
  }
  [[nodiscard]] int descriptor() const { return descriptor_; }

 private:
  bool standard_;
  int descriptor_;
};

/// Appends to `text` until the end or `most` bytes; 0, or the errno that stopped it.
int read_up_to(int descriptor, std::size_t most, std::string& text) {
  constexpr std::size_t kChunk = std::size_t{64} * 1024;
  while (text.size() < most) {
    const std::size_t before = text.size();
    text.resize(before + std::min(kChunk, most - before));
    const ssize_t got = ::read(descriptor, text.data() + before, text.size() - before);
    const int error = errno;
    text.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got == 0) return 0;
    if (got < 0 && error != EINTR) return error;
  }
  return 0;
}

}  // namespace

void InputLimits::declare(Arguments& arguments) {
  arguments.number("--max-bytes", bytes_, 1, kMostBytes,
                   "Largest JSON text; above the default, also of members, elements and values");
  arguments.number("--max-depth", depth_, 1, kMostDepth, "Arrays and objects inside each other");
}

json::Limits InputLimits::limits() const {
  json::Limits limits = defaults_;
  limits.bytes = bytes_;
  limits.depth = depth_;
  if (bytes_ > defaults_.bytes) {  // no more of anything than fits into the text
    limits.string_bytes = limits.members = limits.elements = limits.nodes = bytes_;
  }
  return limits;
}

std::expected<json::Document, InputFailure> load_json(const std::string& path,
                                                      const json::Limits& limits) {
  const std::string name = display_name(path);
  const Source source(path);
  std::string text;
  const int error =
      source.descriptor() < 0 ? errno : read_up_to(source.descriptor(), limits.bytes + 1, text);
  if (error != 0) {
    return std::unexpected(
        InputFailure{true, name + ": cannot be read: " + std::generic_category().message(error)});
  }
  if (text.size() > limits.bytes) {
    return std::unexpected(
        InputFailure{false, name + ": more than " + std::to_string(limits.bytes) + " bytes; " +
                                std::string(advice_for(json::ParseErrorCode::too_many_bytes))});
  }
  auto document = json::parse(std::move(text), limits);
  if (!document) {
    return std::unexpected(InputFailure{false, name + ": " + to_string(document.error()) + "; " +
                                                   std::string(advice_for(document.error().code))});
  }
  return std::move(*document);
}

std::string display_name(const std::string& path) {
  return path.empty() || path == "-" ? "standard input" : path;
}

}  // namespace interline::cli

// Any text against every format, and what must follow from one format for another.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/utf8.hpp"
#include "schema/format.hpp"
#include "schema/format_punycode.hpp"

namespace {

using interline::schema::Format;
using interline::schema::holds;

void require(bool condition) {
  if (!condition) std::abort();
}

void implies(std::string_view text, Format narrow, Format wide) {
  if (holds(narrow, text)) require(holds(wide, text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (size > 4'096 || !interline::is_valid_utf8(text)) return 0;

  for (std::size_t i = 0; i <= static_cast<std::size_t>(Format::regex); ++i) {
    static_cast<void>(holds(static_cast<Format>(i), text));
  }
  implies(text, Format::email, Format::idn_email);
  implies(text, Format::hostname, Format::idn_hostname);
  implies(text, Format::uri, Format::iri);
  implies(text, Format::uri, Format::uri_reference);
  implies(text, Format::iri, Format::iri_reference);
  implies(text, Format::uri_reference, Format::iri_reference);
  require(!holds(Format::ipv4, text) || !holds(Format::ipv6, text));
  if (holds(Format::date_time, text)) {
    require(holds(Format::date, text.substr(0, 10)));
    require(holds(Format::time, text.substr(11)));
  }
  if (holds(Format::json_pointer, text)) {
    require(holds(Format::relative_json_pointer, "0" + std::string(text)));
  }
  if (holds(Format::ipv6, text)) {
    require(holds(Format::uri, "a://[" + std::string(text) + "]"));
  }
  if (const auto label = interline::schema::decode_punycode(text)) {
    if (const auto encoded = interline::schema::encode_punycode(*label)) {
      require(interline::schema::decode_punycode(*encoded) == label);
    }
  }
  return 0;
}

// A JSON array: a draft-07 schema and instances. What can be upgraded compiles wherever the
// original does, and gives every instance the same verdict.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/parse.hpp"
#include "schema/schema.hpp"
#include "schema/upgrade.hpp"

namespace {

namespace json = interline::json;
using namespace interline::schema;

void require(bool condition) {
  if (!condition) std::abort();
}

std::expected<Schema, CompileError> compile(const json::Value& root, Dialect dialect) {
  CompileOptions options;
  options.default_dialect = dialect;
  return Schema::compile(root, options);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto document = json::parse_borrowed(text);
  if (!document || !document->root().is_array() || document->root().size() == 0) return 0;
  const auto parts = document->root().items();

  const auto upgraded = upgrade_draft_07(parts.front());
  if (!upgraded) return 0;
  json::Limits limits;
  limits.depth = 256;
  limits.bytes = 16U << 20U;
  const auto parsed = json::parse_borrowed(upgraded->text, limits);
  require(parsed.has_value());

  const auto original = compile(parts.front(), Dialect::draft_07);
  if (!original) return 0;
  const auto compiled = compile(parsed->root(), Dialect::draft_2020_12);
  if (!compiled) {
    // draft-07 does not compile what these hold; the upgrade takes them for what their authors did.
    const std::string_view source = parts.front().source();
    require(compiled.error().code == CompileErrorCode::too_large || source.contains("$defs") ||
            source.contains("contentSchema"));
    return 0;
  }
  ValidateLimits budget;
  budget.steps = 100'000;
  for (const json::Value& instance : parts.subspan(1)) {
    const Verdict before = original->validate(instance, budget);
    const Verdict after = compiled->validate(instance, budget);
    if (before == Verdict::budget_exceeded || after == Verdict::budget_exceeded) continue;
    require(before == after);
  }
  return 0;
}

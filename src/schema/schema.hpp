// JSON Schema 2020-12 (and draft-07): compile once, validate many.
//
// A compiled Schema is immutable and may be used by any number of threads at once. Compiling never
// touches a network: a reference that neither the document nor the allowlist resolves is a
// compile error. Compiling and validating run under budgets; what exceeds one ends with a clear
// verdict, in bounded time and memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "json/value.hpp"

namespace interline::schema {

enum class Dialect : std::uint8_t { draft_2020_12, draft_07 };

/// The dialect's meta-schema URI: "https://json-schema.org/draft/2020-12/schema".
[[nodiscard]] std::string_view uri_of(Dialect dialect);

/// What compiling one schema may cost.
struct CompileLimits {
  std::size_t subschemas = 20'000;        ///< subschemas, referenced documents included
  std::size_t depth = 128;                ///< subschemas inside each other
  std::size_t references = 10'000;        ///< $ref and $dynamicRef
  std::size_t enum_values = 50'000;       ///< values in all enums
  std::size_t patterns = 2'000;           ///< pattern and patternProperties
  std::size_t pattern_bytes = 4'096;      ///< of one regular expression
  std::size_t program_bytes = 8U << 20U;  ///< memory of all compiled patterns
  std::size_t pattern_work = 20'000'000;  ///< Pattern::work of all, and of matching property names
  std::size_t uri_bytes = 4'096;          ///< of an $id, resolved
  std::size_t all_uri_bytes = 4U << 20U;  ///< of all $id together, resolved
  std::size_t instructions = 1'000'000;   ///< of the lowered program, 16 bytes each
};

/// What validating one instance may cost. A step is about one keyword applied to one value, one
/// element compared, or a few characters matched; the default is some 50 ms at the most. report()
/// and output() find the verdict first and then spend up to as much again on the reasons. Stack:
/// the deepest validate() stays below 256 KiB, the deepest report() and output() below 1 MiB.
struct ValidateLimits {
  std::size_t steps = 5'000'000;
  std::size_t depth = 512;          ///< schema applications inside each other
  std::size_t errors = 16;          ///< reported; the rest is only counted as "more"
  std::size_t annotations = 1'000;  ///< in output() of a valid instance
};

/// The in-memory allowlist: given an absolute URI without fragment, the document, or nullptr. It is
/// only asked while compiling; what it returns must outlive the call.
using DocumentSource = std::function<const json::Value*(std::string_view uri)>;

enum class CompileErrorCode : std::uint8_t {
  not_a_schema,            ///< neither object nor boolean
  invalid_keyword,         ///< a keyword's value is not what its meta-schema says
  unsupported_dialect,     ///< `$schema` names a dialect that is not built in or supplied
  unsupported_vocabulary,  ///< a vocabulary required by `$vocabulary` is unknown
  unsupported_keyword,     ///< refused by CompileOptions::refuse_keyword
  unresolved_reference,
  endless_loop,  ///< a schema that leads back to itself for the same value
  invalid_pattern,
  duplicate_identifier,  ///< the same $id or $anchor twice
  too_large,             ///< a CompileLimits bound
};

/// Why a keyword is refused that its dialect would take or ignore.
struct KeywordRefusal {
  CompileErrorCode code = CompileErrorCode::unsupported_keyword;
  std::string message;
};

/// Asked for each keyword of each subschema of the root document, not of those it refers to.
using KeywordPolicy = std::function<std::optional<KeywordRefusal>(const json::Member& keyword)>;

struct CompileOptions {
  Dialect default_dialect = Dialect::draft_2020_12;  ///< where `$schema` is absent
  bool assert_format = false;                        ///< `format` decides, instead of annotating
  bool assert_content = false;   ///< reserved; contentEncoding and contentMediaType annotate only
  std::string base_uri;          ///< the retrieval URI of the root; "" if there is none
  DocumentSource documents;      ///< may be empty
  KeywordPolicy refuse_keyword;  ///< may be empty
  CompileLimits limits;
};

/// `location` is a JSON Pointer into the schema document named by `document` ("" = the root given);
/// `message` says what was expected, bounded to 512 bytes.
struct CompileError {
  CompileErrorCode code;
  std::string document;
  std::string location;
  std::string message;
};
/// One line for people: control characters of names in it are escaped.
[[nodiscard]] std::string to_string(const CompileError& error);
[[nodiscard]] Error to_error(const CompileError& error);

enum class Verdict : std::uint8_t {
  valid,
  invalid,
  budget_exceeded,  ///< a ValidateLimits bound; neither valid nor invalid was found out
};

/// One failed keyword. No field repeats the instance's data.
struct ValidationError {
  std::string instance_location;  ///< JSON Pointer, at most 256 bytes, cut in the middle with "..."
  std::string keyword_location;   ///< JSON Pointer through references, likewise bounded
  std::string absolute_keyword_location;  ///< URI of the keyword, where one is known
  std::string message;  ///< what was expected: "must be at most 10"; at most 256 bytes
};

struct Report {
  Verdict verdict = Verdict::valid;
  std::vector<ValidationError> errors;
  bool more = false;  ///< there were more errors than the limit
};

/// JSON Schema 2020-12 Core, section 12.4. `flag` costs least.
enum class OutputFormat : std::uint8_t { flag, basic, detailed };

class Schema {
 public:
  /// Compiles a schema document. `root` is only needed during the call.
  [[nodiscard]] static std::expected<Schema, CompileError> compile(
      const json::Value& root, const CompileOptions& options = {});

  /// Yes or no, as fast as can be.
  [[nodiscard]] Verdict validate(const json::Value& instance,
                                 const ValidateLimits& limits = {}) const;
  /// The same verdict, with the reasons.
  [[nodiscard]] Report report(const json::Value& instance, const ValidateLimits& limits = {}) const;
  /// JSON text of the specification's output formats, annotations included, bounded like report().
  /// Where the budget was spent, "valid" is false and an "error" beside it says "undecided: ...".
  [[nodiscard]] std::string output(const json::Value& instance, OutputFormat format,
                                   const ValidateLimits& limits = {}) const;

  [[nodiscard]] Dialect dialect() const;
  /// Heap bytes held.
  [[nodiscard]] std::size_t memory() const;

 private:
  friend struct Inspect;  // inspect.hpp: tests and benches
  struct Program;
  explicit Schema(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace interline::schema

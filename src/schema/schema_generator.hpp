// Random small schemas and instances for tests: every keyword, few names and values, so that what
// is generated meets.
#pragma once

#include <cstdint>
#include <random>
#include <string>

namespace interline::schema::testing {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  /// A whole schema with $defs, references and anchors among its subschemas.
  [[nodiscard]] std::string schema();
  [[nodiscard]] std::string instance(int depth = 3);

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }
  bool chance(std::size_t percent) { return below(100) < percent; }
  std::string pick(std::initializer_list<const char*> values);
  std::string name() { return pick({"a", "b", "c", "ab", "x-1"}); }
  std::string scalar();
  std::string subschema(int depth);
  std::string keyword(int depth);
  std::string applicator(int depth);
  std::string schema_list(int depth);
  std::string schema_map(int depth, bool patterns);
  std::string name_list();

  std::mt19937_64 random_;
};

}  // namespace interline::schema::testing

#include "schema/program.hpp"

namespace interline::schema {
namespace {

template <class T>
std::size_t held(const std::vector<T>& values) {
  return values.capacity() * sizeof(T);
}

}  // namespace

std::size_t Program::memory() const {
  std::size_t limbs = 0;
  for (const Divisor& divisor : divisors) limbs += held(divisor.limbs);
  return limbs + held(instructions) + held(blocks) + held(entries) + held(lists) + held(numbers) +
         held(divisors) + held(names) + held(slots) + held(name_tables) + held(values) +
         held(members) + held(patterns) + held(dynamics) + held(dynamic_rows) + held(marks) +
         held(mark_steps) + held(mark_patterns) + held(schema_marks);
}

}  // namespace interline::schema

// The stored details of a task: bytes are refused, or they are the one form of what they say.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "store/task_details.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace interline;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  tasks::Task task;
  if (!store::decode_details(bytes, task)) return 0;
  if (store::encode_details(task, task.outcome) != bytes) std::abort();
  tasks::Task again;
  if (!store::decode_details(bytes, again) || !store::same_details(task, again)) std::abort();
  return 0;
}

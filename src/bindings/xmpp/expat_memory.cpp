#include "bindings/xmpp/expat_memory.hpp"

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace interline::xmpp {
namespace {

// Expat's malloc has no argument to say whose memory it is, so the thread knows it for the time of
// a call. Everything else finds its budget in the block's header.
thread_local ExpatMemory* current = nullptr;  // NOLINT: the one way into expat's callbacks

}  // namespace

struct alignas(std::max_align_t) ExpatMemory::Header {
  ExpatMemory* owner;
  std::size_t size;
};

ExpatMemory::Use::Use(ExpatMemory& memory) : before_(std::exchange(current, &memory)) {}
ExpatMemory::Use::~Use() {
  current = before_;
}

const XML_Memory_Handling_Suite& ExpatMemory::suite() {
  static constexpr XML_Memory_Handling_Suite kSuite = {
      &ExpatMemory::allocate, &ExpatMemory::reallocate, &ExpatMemory::release};
  return kSuite;
}

bool ExpatMemory::take(std::size_t size) {
  if (size > limit_ - used_) return false;
  used_ += size;
  return true;
}

void* ExpatMemory::allocate(std::size_t size) {
  if (size > SIZE_MAX - sizeof(Header) || current == nullptr || !current->take(size)) {
    return nullptr;
  }
  auto* header = static_cast<Header*>(std::malloc(sizeof(Header) + size));
  if (header == nullptr) {
    current->used_ -= size;
    return nullptr;
  }
  *header = {current, size};
  return header + 1;
}

void* ExpatMemory::reallocate(void* pointer, std::size_t size) {
  if (pointer == nullptr) return allocate(size);
  auto* header = static_cast<Header*>(pointer) - 1;
  ExpatMemory& owner = *header->owner;
  const std::size_t before = header->size;
  if (size > SIZE_MAX - sizeof(Header) || size > owner.limit_ - (owner.used_ - before)) {
    return nullptr;
  }
  auto* grown = static_cast<Header*>(std::realloc(header, sizeof(Header) + size));
  if (grown == nullptr) return nullptr;
  owner.used_ = owner.used_ - before + size;
  grown->size = size;
  return grown + 1;
}

void ExpatMemory::release(void* pointer) {
  if (pointer == nullptr) return;
  auto* header = static_cast<Header*>(pointer) - 1;
  header->owner->used_ -= header->size;
  std::free(header);
}

}  // namespace interline::xmpp

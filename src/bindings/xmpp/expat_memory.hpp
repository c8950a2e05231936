// A bounded heap for one expat parser.
//
// Expat copies the namespace name into every prefixed attribute of a tag, so a tag of 256 KiB can
// ask for two gigabytes. Beyond the budget its allocations fail and it reports XML_ERROR_NO_MEMORY.
#pragma once

#include <cstddef>
#include <expat.h>

namespace interline::xmpp {

/// Must outlive the parser made with it, and be in scope (Use) when that parser is made or fed.
class ExpatMemory {
 public:
  explicit ExpatMemory(std::size_t limit) : limit_(limit) {}
  ExpatMemory(const ExpatMemory&) = delete;
  ExpatMemory& operator=(const ExpatMemory&) = delete;

  [[nodiscard]] std::size_t used() const { return used_; }
  [[nodiscard]] static const XML_Memory_Handling_Suite& suite();

  /// Names the budget for allocations of this thread until the end of the scope.
  class Use {
   public:
    explicit Use(ExpatMemory& memory);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    ExpatMemory* before_;
  };

 private:
  struct Header;
  static void* allocate(std::size_t size);
  static void* reallocate(void* pointer, std::size_t size);
  static void release(void* pointer);
  [[nodiscard]] bool take(std::size_t size);

  std::size_t limit_;
  std::size_t used_ = 0;
};

}  // namespace interline::xmpp

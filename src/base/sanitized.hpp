// For tests: whether the program was built with a sanitizer. It looks at how each step is done, and
// has seen that in fewer of them; whether all of them are right is what the other builds find out.
#pragma once

namespace interline {

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INTERLINE_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INTERLINE_SANITIZED 1
#endif

#ifdef INTERLINE_SANITIZED
inline constexpr bool kSanitized = true;
#undef INTERLINE_SANITIZED
#else
inline constexpr bool kSanitized = false;
#endif

/// So many random cases; with a sanitizer a tenth of them.
template <class Count>
[[nodiscard]] constexpr Count cases(Count whole) {
  return kSanitized ? whole / 10 : whole;
}

}  // namespace interline

#include "net/http/date.hpp"

#include <array>
#include <string_view>

namespace interline::net::http {
namespace {

// Not strftime: its names are the locale's.
constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

void append_two_digits(std::string& text, int value) {
  text += static_cast<char>('0' + value / 10 % 10);
  text += static_cast<char>('0' + value % 10);
}

}  // namespace

std::string format_date(std::time_t seconds) {
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  std::string text;
  text.reserve(29);
  text += kDays.at(static_cast<std::size_t>(parts.tm_wday));
  text += ", ";
  append_two_digits(text, parts.tm_mday);
  text += ' ';
  text += kMonths.at(static_cast<std::size_t>(parts.tm_mon));
  text += ' ';
  append_two_digits(text, (parts.tm_year + 1900) / 100);
  append_two_digits(text, parts.tm_year + 1900);
  text += ' ';
  append_two_digits(text, parts.tm_hour);
  text += ':';
  append_two_digits(text, parts.tm_min);
  text += ':';
  append_two_digits(text, parts.tm_sec);
  text += " GMT";
  return text;
}

}  // namespace interline::net::http

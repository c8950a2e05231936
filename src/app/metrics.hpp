// Prometheus text format 0.0.4: https://prometheus.io/docs/instrumenting/exposition_formats/
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace interline::app {

/// Writes one family after another. Names and helps are literals of ours; label values are escaped.
class MetricsWriter {
 public:
  using Labels = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  /// `type` is "counter", "gauge" or "histogram".
  void family(std::string_view name, std::string_view type, std::string_view help);
  /// A sample of the last family; `suffix` as in "_sum".
  void sample(double value, Labels labels = {}, std::string_view suffix = "");

  /// The samples of a family of that type, from a Histogram.
  template <class Counted>
  void histogram(const Counted& values) {
    std::uint64_t so_far = 0;
    std::size_t place = 0;
    for (const double bound : Counted::bounds()) {
      so_far += values.counts()[place++];
      sample(static_cast<double>(so_far), {{"le", number(bound)}}, "_bucket");
    }
    so_far += values.counts()[place];
    sample(static_cast<double>(so_far), {{"le", "+Inf"}}, "_bucket");
    sample(values.sum(), {}, "_sum");
    sample(static_cast<double>(so_far), {}, "_count");
  }

  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  [[nodiscard]] static std::string number(double value);

  std::string text_;
  std::string_view name_;
};

}  // namespace interline::app

// Prometheus text format 0.0.4.
#include "app/metrics.hpp"

#include <gtest/gtest.h>

namespace interline::app {
namespace {

TEST(PrometheusText, FamilyThenItsSamples) {
  MetricsWriter writer;
  writer.family("interline_tasks", "gauge", "Tasks by state.");
  writer.sample(3, {{"state", "running"}});
  writer.sample(0.5);
  EXPECT_EQ(writer.take(),
            "# HELP interline_tasks Tasks by state.\n"
            "# TYPE interline_tasks gauge\n"
            "interline_tasks{state=\"running\"} 3\n"
            "interline_tasks 0.5\n");
}

TEST(PrometheusText, LabelValuesAreEscaped) {
  MetricsWriter writer;
  writer.family("a", "counter", "b");
  writer.sample(1, {{"x", "q\"b\\n\n"}, {"y", "z"}}, "_total");
  EXPECT_EQ(writer.take(),
            "# HELP a b\n# TYPE a counter\na_total{x=\"q\\\"b\\\\n\\n\",y=\"z\"} 1\n");
}

}  // namespace
}  // namespace interline::app

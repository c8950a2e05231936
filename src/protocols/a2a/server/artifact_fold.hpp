// The artifacts of a task, folded from its log up to one entry.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "protocols/a2a/task_view.hpp"

namespace interline::protocols::a2a::server {

class ArtifactFold {
 public:
  /// Entries of other types are passed over.
  void add(const tasks::LogEntry& entry);
  /// Views of this fold.
  [[nodiscard]] std::vector<ShownArtifact> shown() const;

 private:
  struct Artifact {
    std::string id;
    std::string elements;  ///< an array's text
  };
  std::vector<Artifact> artifacts_;  ///< in the order of their first chunks
};

}  // namespace interline::protocols::a2a::server

// The engine's own records as changes of the store.
#pragma once

#include <string>
#include <utility>

#include "store/work.hpp"

namespace interline::engine {

[[nodiscard]] inline store::RecordChange put_record(store::RecordKey key, std::string bytes) {
  store::RecordChange change;
  change.record.binding = std::move(key.binding);
  change.record.kind = std::move(key.kind);
  change.record.key = std::move(key.key);
  change.record.bytes = std::move(bytes);
  return change;
}

[[nodiscard]] inline store::RecordChange drop_record(store::RecordKey key) {
  store::RecordChange change = put_record(std::move(key), {});
  change.drop = true;
  return change;
}

}  // namespace interline::engine

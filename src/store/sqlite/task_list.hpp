// list_tasks: pages in the order of status, newest first, and how many there are in all.
//
// Each owner, or owner and context, is a stream in the order of its index; a page is merged from
// the streams' heads. So a page costs O(streams + page) look-ups of O(log n). Totals without a
// filter by state or time are kept; with one they are counted over the index alone.
#pragma once

#include <string>
#include <vector>

#include "store/sqlite/connection.hpp"
#include "store/store.hpp"

namespace interline::store {

/// One reader connection's; to be called within a read transaction. Everything throws SqliteError
/// or CorruptRow.
class TaskList {
 public:
  explicit TaskList(const Connection& connection);

  [[nodiscard]] TaskPage page(const TaskQuery& query);

 private:
  struct Stream {
    std::int64_t number;  ///< owners.number, or contexts.number
    std::size_t tasks;    ///< kept total
  };
  struct Position {
    SystemTime updated{};
    std::string id;
  };
  struct Head {
    Position position;
    std::int64_t task;   ///< tasks.number
    std::size_t stream;  ///< index
    std::size_t left;    ///< of its stream's rows, how many were read behind it
  };
  struct Filter;

  [[nodiscard]] std::vector<Stream> streams(const TaskQuery& query);
  void add_owner(const std::string& principal, std::vector<Stream>& found);
  void add_context(const std::string& context, const std::string& principal,
                   std::vector<Stream>& found);
  [[nodiscard]] std::size_t count(const std::vector<Stream>& streams, const Filter& filter);
  [[nodiscard]] std::vector<std::int64_t> merge(const std::vector<Stream>& streams,
                                                const Filter& filter, const Position& before,
                                                std::size_t limit);
  [[nodiscard]] std::vector<Head> read(const Stream& stream, std::size_t index,
                                       const Filter& filter, const Position& before,
                                       std::size_t limit);

  Statement select_owner_;
  Statement select_owners_;
  Statement select_context_;
  Statement select_contexts_;
  Statement page_of_owner_;
  Statement page_of_context_;
  Statement count_of_owner_;
  Statement count_of_context_;
  Statement select_task_;
};

}  // namespace interline::store

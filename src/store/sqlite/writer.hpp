// Commits groups of works, each group in one transaction, and finds out what became of it when
// that fails.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "base/log.hpp"
#include "store/sqlite/catalog_table.hpp"
#include "store/sqlite/checkpointer.hpp"
#include "store/sqlite/claims.hpp"
#include "store/sqlite/condition.hpp"
#include "store/sqlite/purge.hpp"
#include "store/sqlite/record_table.hpp"
#include "store/sqlite/space_reserve.hpp"
#include "store/sqlite/totals.hpp"
#include "store/store.hpp"

namespace interline::store {

struct WriterOptions {
  std::size_t task_cache_bytes = 0;
  std::size_t versions_per_endpoint = 0;
  AuditLimits audit;
  std::uint64_t group_number = 0;  ///< of the last group, as stored
  std::size_t stored_bytes = 0;    ///< as SqliteOptions has it
  std::shared_ptr<Condition> condition = std::make_shared<Condition>();
};

/// The committer's thread only.
class Writer {
 public:
  /// The rest outlives it. Throws SqliteError.
  Writer(const Connection& connection, Checkpointer& checkpointer, SpaceReserve reserve,
         const WriterOptions& options, Logger log);

  [[nodiscard]] GroupEnd commit(std::span<Work> group, CommitTime time);

 private:
  enum class End : std::uint8_t {
    committed,
    bad_statement,  ///< nothing was written; some work's statement is at fault
    no_space,       ///< nothing was written
    failed,         ///< nothing was written
    uncertain,
  };

  [[nodiscard]] End attempt(std::span<Work> group);
  [[nodiscard]] End attempt_with_reserve(std::span<Work> group);
  [[nodiscard]] GroupEnd one_by_one(std::span<Work> group);
  [[nodiscard]] GroupEnd refuse(std::span<Work> group);

  void flush();
  [[nodiscard]] End finish();
  void roll_back();
  /// After a COMMIT that failed: whether it is certain now that it will never have happened.
  [[nodiscard]] bool overwrite();
  void release_reserve();
  void refill_reserve();
  void look_at_files();
  void look_at_size();
  /// Why nothing new is taken now; nothing: it is.
  [[nodiscard]] std::optional<Error> closed() const;

  void perform(Admit& work);
  void perform(Apply& work);
  void perform(ChangeRecords& work);
  void perform(RegisterVersion& work);
  void perform(Activate& work);
  void perform(Remove& work);
  void perform(Purge& work);
  void perform(Audit& work);
  [[nodiscard]] Result<std::int64_t> admissible(const Admit& work);

  const Connection& connection_;
  Checkpointer& checkpointer_;
  SpaceReserve reserve_;
  const Logger log_;

  TaskTable tasks_;
  Totals totals_;
  ClaimTable claims_;
  RecordTable records_;
  CatalogTable catalog_;
  AuditTable audit_;
  Purger purger_;
  Statement update_meta_;

  std::uint64_t group_number_;
  CommitTime time_{SystemTime()};  ///< of the group that is written
  const std::shared_ptr<Condition> condition_;
  const std::size_t stored_bytes_;
  SystemTime measured_{};        ///< when it was last looked how much is kept
  bool gone_ = false;            ///< the files were not there at the last commit
  SystemTime tried_refill_{};    ///< when it was last tried to have it back
  bool out_of_service_ = false;  ///< after an uncertain COMMIT
  int log_pages_ = 0;            ///< in the write-ahead log, after the last commit
};

}  // namespace interline::store

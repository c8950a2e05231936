// The C side of a simulated disk: the tables of functions that SQLite calls.
#pragma once

#include <sqlite3.h>

namespace interline::store::testing {

class SimulatedDisk;

/// `name` and `disk` live as long as it is registered.
[[nodiscard]] sqlite3_vfs make_vfs(const char* name, SimulatedDisk* disk);

}  // namespace interline::store::testing

// What a document has between `<!-- NAME -->` and `<!-- end -->`: tables that tests write
// themselves and compare, so that a document says what the code does.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace interline::documents {

/// Of docs/FILE, without the markers. Throws where there is no such block.
[[nodiscard]] std::string marked_block(std::string_view file, std::string_view name);

/// The cells of each row below the head of a table, without white space around them.
[[nodiscard]] std::vector<std::vector<std::string>> table_rows(std::string_view block);

}  // namespace interline::documents

// Replays a fuzz target's committed corpus as an ordinary test, so that what fuzzing once found
// stays found in every build, under every sanitizer.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include <gtest/gtest.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

TEST(FuzzCorpus, ReplaysEveryInput) {
  std::size_t inputs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(FUZZ_CORPUS)) {
    if (!entry.is_regular_file()) continue;
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream file(entry.path(), std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    ++inputs;
  }
  EXPECT_GT(inputs, 0U) << "no corpus in " << FUZZ_CORPUS;
}

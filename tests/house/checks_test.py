"""Each house check finds what it is there to find: a check that cannot fail is no check."""
import json
import tempfile
import unittest
from pathlib import Path

from harness.process import Outcome
from house import (arrows, checklist, checks, commands, coroutines, formatting, helps, readmes, sizes,
                   words)


class Tree(unittest.TestCase):
    """A folder with the files that a test writes."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, name, text=""):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def assert_one(self, problems, *parts):
        self.assertEqual(len(problems), 1, problems)
        for part in parts:
            self.assertIn(part, problems[0])


class Helps(Tree):
    def program(self, name, text):
        self.write(name, "#!/bin/sh\n" + text)
        (self.root / name).chmod(0o755)

    def test_one_that_says_its_usage_is_fine(self):
        self.program("bench/a/compare", "echo usage: compare\n")
        self.write("bench/a/data.json", "{}")
        self.program("tools/b", "exit 1\n")
        self.assertEqual(helps.problems(self.root), [])

    def test_one_that_fails_or_says_nothing_is_found(self):
        self.program("bench/a/compare", "echo usage; exit 1\n")
        self.assert_one(helps.problems(self.root), "bench/a/compare")
        self.program("bench/a/compare", "true\n")
        self.assert_one(helps.problems(self.root), "bench/a/compare")


class Arrows(Tree):
    def include(self, name, target):
        self.write(name, f'#include "{target}"\n')

    def test_downwards_is_allowed(self):
        self.include("src/schema/a.cpp", "json/value.hpp")
        self.include("src/bindings/xmpp/b.cpp", "engine/engine.hpp")
        self.include("src/bindings/xmpp/c.cpp", "bindings/xmpp/b.hpp")
        self.include("src/bindings/binding.cpp", "net/stream.hpp")
        self.include("src/cli/d.cpp", "schema/schema.hpp")
        self.include("src/store/sqlite/e.cpp", "tasks/task.hpp")
        self.assertEqual(arrows.problems(self.root), [])

    def test_each_forbidden_arrow_is_found(self):
        for source, target in [
            ("src/base/a.cpp", "json/value.hpp"),
            ("src/json/a.hpp", "engine/engine.hpp"),
            ("src/tasks/a.cpp", "engine/engine.hpp"),
            ("src/engine/a.cpp", "net/http.hpp"),
            ("src/engine/a.cpp", "protocols/mcp/codec.hpp"),
            ("src/protocols/mcp/a.cpp", "net/http.hpp"),
            ("src/bindings/mcp/a.cpp", "bindings/a2a/codec.hpp"),
            ("src/runtimes/mcp/a.cpp", "runtimes/exec/process.hpp"),
            ("src/runtimes/mcp/a.cpp", "bindings/mcp/a.hpp"),
            ("src/bindings/mcp/a.cpp", "store/store.hpp"),
            ("src/runtimes/exec/a.cpp", "store/store.hpp"),
            ("src/console/a.cpp", "net/http.hpp"),
            ("src/bindings/mcp/a_test.cpp", "cli/verb.hpp"),
        ]:
            with self.subTest(f"{source} {target}"):
                self.include(source, target)
                self.assert_one(arrows.problems(self.root), source, target)
                (self.root / source).unlink()

    def test_unknown_folders_fail_on_both_sides(self):
        self.write("src/misc/a.cpp")
        self.assert_one(arrows.problems(self.root), "src/misc/a.cpp")
        (self.root / "src/misc/a.cpp").unlink()
        self.include("src/base/a.cpp", "misc/a.hpp")
        self.assert_one(arrows.problems(self.root), "write it from src/")

    def test_relative_includes_fail(self):
        for target in ("value.hpp", "../json/value.hpp"):
            self.include("src/json/a.cpp", target)
            self.assert_one(arrows.problems(self.root), "write it from src/")

    def test_circles_between_neighbours_fail(self):
        self.include("src/tasks/a.cpp", "policy/a.hpp")
        self.include("src/policy/a.hpp", "catalog/a.hpp")
        self.assertEqual(arrows.problems(self.root), [])
        self.include("src/catalog/a.hpp", "tasks/a.hpp")
        self.assertEqual(len(arrows.problems(self.root)), 3)

    def test_spaces_in_the_directive_hide_nothing(self):
        self.write("src/base/a.cpp", '  #  include   "json/value.hpp"\n')
        self.assert_one(arrows.problems(self.root), "base may not include json")


class Readmes(Tree):
    def test_missing_and_empty_fail(self):
        self.write("src/base/a.cpp")
        self.assert_one(readmes.problems(self.root), "src/base/README.md is missing")
        self.write("src/base/README.md", "# base\n")
        self.assert_one(readmes.problems(self.root), "says too little")
        self.write("src/base/README.md", "# base\n" + "What lives here. " * 10)
        self.assertEqual(readmes.problems(self.root), [])


class Sizes(Tree):
    def test_the_line_after_the_limit_fails(self):
        self.write("src/base/a.cpp", "\n" * 600)
        self.assertEqual(sizes.problems(self.root), [])
        self.write("src/base/a.cpp", "\n" * 601)
        self.assert_one(sizes.problems(self.root), "src/base/a.cpp")


class Words(Tree):
    def test_each_word_is_found(self):
        for text in ["see /" + "work/main", "registry." + "npmjs.org", "http://deb." + "debian.org/x",
                     "/home/" + "ann/x", "TEST(A, DISABLED" + "_B) {"]:
            with self.subTest(text):
                self.write("docs/a.md", f"first\n{text}\n")
                self.assert_one(words.problems(self.root), "docs/a.md:2")

    def test_ordinary_text_is_left_alone(self):
        self.write("docs/a.md", "Debian 12 packages; src/network/ and ./framework/x\n")
        self.assertEqual(words.problems(self.root), [])


class Formatting(Tree):
    def test_a_badly_formatted_file_fails(self):
        self.write(".clang-format", "BasedOnStyle: Google\n")
        self.write("src/base/a.cpp", "int   f( ) {return 1;}\n")
        self.assert_one(formatting.problems(self.root), "src/base/a.cpp", "clang-format -i")
        self.write("src/base/a.cpp", "int f() { return 1; }\n")
        self.assertEqual(formatting.problems(self.root), [])


class Coroutines(Tree):
    def test_files_are_searched(self):
        self.write("src/net/a.cpp", "awaitable<void> f() {\n  co_await g(Id{s});\n}\n")
        self.assert_one(coroutines.problems(self.root), "src/net/a.cpp:2")


class Commands(Tree):
    def setUp(self):
        super().setUp()
        self.write("CMakePresets.json", json.dumps({"configurePresets": [{"name": "dev"}]}))
        self.write("src/json/CMakeLists.txt", "interline_test(json SOURCES a_test.cpp)\n")
        self.write("test")
        (self.root / "test").chmod(0o755)
        for name in commands.DOCUMENTS:
            self.write(name, "```sh\n./test\n```\n")

    def test_what_exists_passes(self):
        self.write("README.md", "```sh\n./test --all\ncmake --preset dev\n"
                                "cmake --build --preset dev --target json_test\n```\n")
        self.assertEqual(commands.problems(self.root), [])

    def test_what_does_not_exist_fails(self):
        for command in ("./start", "scripts/none 3", "cmake --preset debug",
                        "cmake --build --preset dev --target xml_test"):
            with self.subTest(command):
                self.write("README.md", f"```sh\n{command}\n```\n")
                self.assertEqual(len(commands.problems(self.root)), 1)

    def test_what_is_not_executable_fails(self):
        (self.root / "test").chmod(0o644)
        self.assertEqual(len(commands.problems(self.root)), 2)

    def test_a_document_without_commands_fails(self):
        self.write("README.md", "words\n")
        self.assert_one(commands.problems(self.root), "README.md")


class UnittestCounts(unittest.TestCase):
    def test_counts(self):
        self.assertEqual(checks.unittest_counts(Outcome(0, "Ran 3 tests in 0.1s\n\nOK\n", 0)), (3, 0))
        self.assertEqual(checks.unittest_counts(
            Outcome(1, "Ran 3 tests in 0.1s\n\nFAILED (failures=1, errors=1)\n", 0)), (1, 2))
        self.assertEqual(checks.unittest_counts(Outcome(0, "Ran 0 tests in 0.0s\n", 0)), (0, 1))
        self.assertEqual(checks.unittest_counts(Outcome(1, "Traceback\n", 0)), (0, 1))


class Checklist(Tree):
    def setUp(self):
        super().setUp()
        self.write("tests/scenarios/xmpp/README.md",
                   "| numbers | why |\n|---|---|\n| 150, 151 | not yet |\n")
        self.write("tests/scenarios/xmpp/a_test.cpp",
                   "TEST(X, C13_001_To_C13_148_All) {\nTEST_P(Checklist149_A, B) {\n"
                   "TEST(X, C13_152_To_C13_159_AndC13_160_Rest) {\n")

    def test_all_are_there(self):
        self.assertEqual(checklist.problems(self.root), [])

    def test_one_that_is_nowhere(self):
        self.write("tests/scenarios/xmpp/README.md", "| 150 | not yet |\n")
        self.assert_one(checklist.problems(self.root), "151", "neither")

    def test_one_that_is_in_both(self):
        self.write("tests/scenarios/live/b.py", "class B:\n    def test_c13_150_is_done(self):\n")
        self.assert_one(checklist.problems(self.root), "150", "a test and a row")

    def test_one_that_there_is_not(self):
        self.write("tests/scenarios/xmpp/b_test.cpp", "TEST(X, C13_161_New) {\n")
        self.assert_one(checklist.problems(self.root), "161")


if __name__ == "__main__":
    unittest.main()

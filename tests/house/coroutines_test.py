"""The coroutine search finds what is known to break, and leaves alone what is known to be safe."""
import unittest

from house.coroutines import traps

BROKEN = [
    "co_await f(Id{s});",
    "auto x = co_await store.put(Row{1, name}, now);",
    'co_await f({400, "", {}});',
    "if (co_await f(Id{s})) { g(); }",
    "co_return co_await f(Id{s});",
    "co_await f(Pair<int, std::string>{1, s});",
    "co_await spawn([this] { return 1; });",
    "co_await spawn([&x](int y) { g(y); h(x); }, use);",
    "co_await spawn(a,\n    [=]() mutable { g(); });",
    "auto f = [] () -> awaitable<void> { co_await g(Id{1}); };",
    "for (auto& x : co_await list({1, 2})) use(x);",
    "x = y ? co_await f(Id{s}) : 0;",
    "if (a[i] && co_await f(Id{s})) { g(); }",
    "case 1: co_await f(Id{s});",
]
SAFE = [
    "Id id{s}; co_await f(id);",
    "co_await f(std::move(id));",
    "co_return Reply{1, 2};",
    "co_await f(std::string{s});",
    "co_await f(id); g(Id{s});",
    "g(Id{s}); co_await f(id);",
    "co_await spawn([] { return 1; });",
    "co_await f(a[i], b[j](k));",
    "// co_await f(Id{s});",
    'co_await f("Id{s}", \'{\');',
    'co_await f(R"({"a": {}})");',
    "if (co_await f(id)) { g(Id{s}); }",
    "awaitable<void> Session::run() { co_await f(id); }",
    "awaitable<void> run() override { auto h = [this] { return 1; }; co_await f(h); }",
    "auto g() -> awaitable<Reply> { Reply r{1}; co_await f(r); co_return r; }",
    "co_await f(Id{s});  // constructed: Id has one",
    "struct Point { int x; }; awaitable<void> f() { co_await g(); }",
    "X() : a_{1}, b_{Id{2}} { } awaitable<void> f() { co_await g(); }",
    "if (a[i]) { g(); } co_await f(id); Id id{s};",
    "int n = 1'000; Id id{s}; co_await f(n); use('a');",
]


class CoroutineTrap(unittest.TestCase):
    def test_finds_each_broken_form(self):
        for code in BROKEN:
            with self.subTest(code):
                self.assertTrue(traps(code))
                self.assertTrue(traps(f"namespace n {{\nawaitable<void> f() {{\n  {code}\n}}\n}}\n"))

    def test_leaves_each_safe_form_alone(self):
        for code in SAFE:
            with self.subTest(code):
                self.assertEqual(traps(code), [])

    def test_says_the_line(self):
        self.assertEqual(traps("a();\nb();\nco_await f(\n    Id{s});\n")[0][0], 3)


if __name__ == "__main__":
    unittest.main()

"""The g++ 12 coroutine trap: in a statement with `co_await`, an aggregate built in place or a lambda
with captures is destroyed twice, without a warning. Named locals, strings, types with a constructor and
`co_return X{...}` are safe.

This is a search, not a compiler: it flags statements with `co_await` in which a type of ours (PascalCase)
or nothing at all stands before a brace, and those with a capturing lambda. Where the type has a
constructor, say so on a line of that statement: // constructed
"""
import re
from dataclasses import dataclass, field

from house.files import ours, read

EXCUSE = "// constructed"
AWAIT = re.compile(r"\bco_await\b")
AGGREGATE = re.compile(r"(?:\b[A-Z]\w*(?:<[^;{}()]*>)?|[(,?:=]|\breturn|\bco_await)\s*\{")
LAMBDA = re.compile(r"(?:^|[(,=?:{;&|]|\breturn)\s*\[(?!\s*\]|\[)[^\[\]]*\]\s*(?:\(|\{|<|mutable\b)")
NOISE = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"'
                   r"|(?<![\w'])'(?:\\.|[^'\\\n])+'", re.S)
BLOCK_WORDS = re.compile(r"\b(?:else|do|try|const|noexcept|mutable|override|final)$")
BLOCK_HEAD = re.compile(r"\s*(?:template\s*<.*>\s*)?(?:inline\s+)?"
                        r"(?:struct|class|enum|union|namespace|extern)\b", re.S)
CONTROL = re.compile(r"(?:if|for|while|switch|catch)\b")
TRAILING_RETURN = re.compile(r"->\s*[\w:<>,\s&*]+$")


def problems(root):
    found = []
    for name in ours(root, ".cpp", ".hpp", ".ipp"):
        text = read(root, name)
        if "co_await" in text:
            found += [f"{name}:{line}: {what}" for line, what in traps(text)]
    return found


def traps(text):
    """(line, what) of each suspicious statement."""
    excused = {number for number, line in enumerate(text.splitlines(), 1) if EXCUSE in line}
    found = []
    for first, last, words in statements(NOISE.sub(blank, text)):
        if not AWAIT.search(words) or excused.intersection(range(first, last + 1)):
            continue
        if LAMBDA.search(words):
            found.append((first, "co_await beside a lambda with captures: name the lambda first"))
        elif AGGREGATE.search(words):
            found.append((first, "co_await beside an aggregate built in place: name it first"))
    return sorted(found)


def blank(match):
    """Same length and line breaks, with nothing to find but a sign that something stood there."""
    return re.sub(r"[^\n]", " ", match.group(0)[:-1]) + ("\n" if match.group(0)[-1] == "\n" else '"')


@dataclass
class Block:
    """An open block: the statement being read in it, and the brackets open in that statement."""
    words: list = field(default_factory=list)
    first: int = 0
    brackets: list = field(default_factory=list)

    def add(self, char, line):
        if not self.words and char.isspace():
            return
        if not self.words:
            self.first = line
        self.words.append(char)

    def close(self, line):
        """Ends the statement; gives (first line, last line, text)."""
        ended = (self.first, line, "".join(self.words))
        self.words, self.brackets = [], []
        return ended


def statements(code):
    """Every statement of the text, as (first line, last line, text). The body of a lambda inside a
    statement is no part of it: the statements in there come on their own."""
    open_blocks, line = [Block()], 1
    for char in code:
        here = open_blocks[-1]
        line += char == "\n"
        if char == "{" and opens_block("".join(here.words), bool(here.brackets)):
            words = "".join(here.words)
            if not here.brackets and ("[" not in words or CONTROL.match(words)):
                yield here.close(line)  # the head of an if, a loop, a function
            else:
                here.add("{", line)
            open_blocks.append(Block())
        elif char == "}" and not (here.brackets and here.brackets[-1] == "{"):
            yield here.close(line)
            if len(open_blocks) > 1:
                open_blocks.pop()
            if open_blocks[-1].words:
                open_blocks[-1].add("}", line)
        elif char == ";" and not here.brackets:
            yield here.close(line)
        else:
            if char in "([{":
                here.brackets.append(char)
            elif char in ")]}" and here.brackets:
                here.brackets.pop()
            here.add(char, line)
    yield open_blocks[0].close(line)


def opens_block(before, inside):
    """Whether a brace after this text opens a block of statements rather than a value."""
    before = before.rstrip()
    if not before or before[-1] in ";{)]":
        return True
    if before[-1] in ":}":
        return not inside
    return bool(BLOCK_WORDS.search(before) or TRAILING_RETURN.search(before)
                or (not inside and BLOCK_HEAD.match(before)))

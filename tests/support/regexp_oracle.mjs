// Answers for RegExp with the u flag, one line of answer for each line of standard input.
//
//   match PATTERN SUBJECT...   "invalid", or for each subject 1 (matches somewhere) or 0; where
//                              test() says otherwise, Y (test() says no) or N (test() says yes)
//   ranges PATTERN             "invalid", or the code points that match it, as ranges in hexadecimal
//   versions                   of the Unicode data, and of V8
//
// Patterns and subjects are hexadecimal UTF-8 behind a letter, so that an empty one is seen.
import { createInterface } from "node:readline";

const text = (word) => Buffer.from(word.slice(1), "hex").toString("utf8");

function compiled(source, flags) {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

// Every scalar value that has a character, a plan for one, or an edge: the rest of planes 2 to 16
// holds nothing but what its first and last code points show.
const kStretches = [
  [0x0000, 0xd7ff], [0xe000, 0x1ffff], [0x20000, 0x33500], [0x3fff0, 0x40010],
  [0xdfff0, 0xe0fff], [0xefff0, 0xf0010], [0xffff0, 0x100010], [0x10fff0, 0x10ffff],
];
let texts;
function stretches() {
  return (texts ??= kStretches.map(([first, last]) => {
    const characters = [];
    for (let c = first; c <= last; ++c) characters.push(String.fromCodePoint(c));
    return characters.join("");
  }));
}

function ranges(source) {
  const runs = compiled(`(?:${source})+`, "gu");
  const found = [];
  for (const text of stretches()) {
    for (const [run] of text.matchAll(runs)) {
      const low = run.codePointAt(run.length - 1);
      const last = low >= 0xdc00 && low <= 0xdfff ? run.codePointAt(run.length - 2) : low;
      found.push(`${run.codePointAt(0).toString(16)}-${last.toString(16)}`);
    }
  }
  return found.join(" ");
}

// The search of ECMA-262 22.2.7.2 (RegExpBuiltinExec, step 13), which tries each code point in turn.
// V8's own also tries between the halves of a surrogate pair, so that /\\B/u matches "1\u{1F600}a".
function search(sticky, subject) {
  for (let at = 0; at <= subject.length; at += subject.codePointAt(at) > 0xffff ? 2 : 1) {
    sticky.lastIndex = at;
    if (sticky.test(subject)) return true;
  }
  return false;
}

function verdict(regexp, sticky, subject) {
  const matches = search(sticky, subject);
  if (regexp.test(subject) === matches) return matches ? "1" : "0";
  return matches ? "Y" : "N";
}

const answers = [];
for await (const line of createInterface({ input: process.stdin })) {
  const [verb, pattern, ...subjects] = line.split(" ");
  if (verb === "versions") {
    answers.push(`${process.versions.unicode} ${process.versions.v8}`);
    continue;
  }
  const regexp = compiled(text(pattern), "u");
  if (regexp === null) answers.push("invalid");
  else if (verb === "ranges") answers.push(ranges(text(pattern)));
  else {
    const sticky = compiled(text(pattern), "uy");
    answers.push(subjects.map((subject) => verdict(regexp, sticky, text(subject))).join(""));
  }
}
process.stdout.write(answers.join("\n") + "\n");

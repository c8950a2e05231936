// What JavaScript says about numbers and JSON, for the tests of src/json. Reads the file named by
// the second argument line by line and answers each with one line:
//   bits   a double as 16 hexadecimal digits           -> String(x)
//   texts  a number in JSON's grammar                  -> its bits in hexadecimal, then String(x)
//   json   a text, its UTF-8 bytes in hexadecimal      -> its RFC 8785 form, likewise, or "refused"
import { readFileSync } from 'node:fs';

const view = new DataView(new ArrayBuffer(8));

function fromBits(hex) {
  view.setBigUint64(0, BigInt('0x' + hex));
  return view.getFloat64(0);
}

function toBits(number) {
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
}

// RFC 8785 section 3.2: what ECMAScript does itself, and sorted names. Default sorting is by UTF-16
// code units.
function canonical(value) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return '[' + value.map(canonical).join(',') + ']';
  const members = Object.keys(value).sort();
  return '{' + members.map((m) => JSON.stringify(m) + ':' + canonical(value[m])).join(',') + '}';
}

function canonicalHex(hex) {
  try {
    const value = JSON.parse(Buffer.from(hex, 'hex').toString('utf8'));
    return Buffer.from(canonical(value)).toString('hex');
  } catch {
    return 'refused';
  }
}

const answers = {
  bits: (line) => String(fromBits(line)),
  texts: (line) => toBits(Number(line)) + ' ' + String(Number(line)),
  json: canonicalHex,
};

const answer = answers[process.argv[2]];
const lines = readFileSync(process.argv[3], 'latin1').split('\n');
lines.pop();
let out = [];
for (const line of lines) {
  out.push(answer(line));
  if (out.length === 10000) {
    process.stdout.write(out.join('\n') + '\n');
    out = [];
  }
}
if (out.length > 0) process.stdout.write(out.join('\n') + '\n');

// Times ajv on the same schema and instance: node ajv.mjs SCHEMA INSTANCE, from a folder where ajv and
// ajv-formats are installed. Prints medians in nanoseconds, as schema_bench does.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(process.cwd() + "/");
const Ajv = require("ajv/dist/2020.js").default;
const [schemaFile, instanceFile] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaFile, "utf8"));
const instance = JSON.parse(readFileSync(instanceFile, "utf8"));

const compileOnce = () => new Ajv({ strict: false, validateFormats: false }).compile(schema);
const validate = compileOnce();

function median(rounds, call) {
  for (let i = 0; i < 1000; ++i) call(); // let the JIT see it
  const begin = process.hrtime.bigint();
  call();
  const once = Math.max(1, Number(process.hrtime.bigint() - begin));
  const calls = Math.max(1, Math.floor(20e6 / once));
  const times = [];
  for (let round = 0; round < rounds; ++round) {
    const from = process.cpuUsage();
    for (let i = 0; i < calls; ++i) call();
    const used = process.cpuUsage(from);
    times.push(((used.user + used.system) * 1000) / calls);
  }
  return times.sort((a, b) => a - b)[rounds >> 1];
}

let valid = true;
const time = median(9, () => {
  valid = validate(instance) && valid;
});
const begin = process.cpuUsage();
compileOnce();
const used = process.cpuUsage(begin);
console.log(JSON.stringify({ valid, compile: (used.user + used.system) * 1000, validate: time }));

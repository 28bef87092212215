// Calls a second of each check of @mastra/evals on the conformance cases, as JSON.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [modules, leastSeconds, ...paths] = process.argv.slice(2);
const reference = createRequire(resolve(modules, "x.js")); // wants an absolute path
const { checks } = await import(pathToFileURL(reference.resolve("@mastra/evals/checks")).href);

const revived = (arg) => (arg?.$regex ? new RegExp(...arg.$regex) : arg);
const asked = {};
for (const line of paths.flatMap((path) => readFileSync(path, "utf8").split("\n"))) {
  if (!line) continue;
  const { check, args, options, output } = JSON.parse(line);
  const scorer = checks[check](...args.map(revived), options);
  const run = { input: { inputMessages: [] }, output };
  (asked[check] ??= []).push(() => scorer.run(run));
}

const rates = {};
for (const [check, questions] of Object.entries(asked)) {
  let calls = 0;
  let took = 0;
  while (took < leastSeconds * 1000) {
    const began = performance.now();
    for (const ask of questions) await ask();
    took += performance.now() - began;
    calls += questions.length;
  }
  rates[check] = (calls / took) * 1000;
}
console.log(JSON.stringify(rates));

import { Worker } from "node:worker_threads";

export interface Expression {
  source: string;
  flags: string;
  /** Texts to run it over (default: made of its own characters). */
  recipes?: readonly Recipe[];
}

/** `before`, then `unit` until the text is long, then `after`. */
export interface Recipe {
  before: string;
  unit: string;
  after: string;
}

/** At this length a linear expression takes milliseconds, and a quadratic one many seconds. */
const LENGTH = 100_000;
const MOST_TOKENS = 10;

/** Runs every recipe; says which expression is next, so that the one that never ends is known. */
const PROGRAM = `
  const { parentPort, workerData } = require("node:worker_threads");
  for (const [index, { source, flags, recipes }] of workerData.expressions.entries()) {
    parentPort.postMessage(index);
    const expression = new RegExp(source, flags);
    for (const { before, unit, after } of recipes) {
      const text = before + unit.repeat(Math.ceil(workerData.length / unit.length)) + after;
      text.replace(expression, "");
    }
  }
`;

/** Those of the expressions that do not finish with long strings of their own characters within `budgetMs` each. */
export async function endless<E extends Expression>(
  expressions: readonly E[],
  budgetMs: number,
): Promise<E[]> {
  const found: E[] = [];
  for (let left = [...expressions]; left.length > 0; ) {
    const stuck = await firstEndless(left, budgetMs);
    if (stuck === undefined) break;
    found.push(...left.slice(stuck, stuck + 1));
    left = left.slice(stuck + 1);
  }
  return found;
}

function firstEndless(expressions: readonly Expression[], budgetMs: number): Promise<number | undefined> {
  const prepared = expressions.map(({ source, flags, recipes = recipesFor(source) }) => ({
    source,
    flags,
    recipes,
  }));
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, {
      eval: true,
      workerData: { expressions: prepared, length: LENGTH },
    });
    let timer: NodeJS.Timeout | undefined;
    worker.on("message", (index: number) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        resolve(index);
        void worker.terminate();
      }, budgetMs);
    });
    worker.on("error", reject);
    worker.on("exit", () => {
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}

/** Long texts of what an expression looks for: each character, each pair, each beginning, and a beginning with more of one. */
export function recipesFor(source: string): Recipe[] {
  const named = tokensOf(source);
  const tokens = named.slice(0, MOST_TOKENS);
  const singles = [...new Set(named)].slice(0, 3 * MOST_TOKENS);
  const units = new Set<string>(singles);
  const recipes: Recipe[] = [];
  for (const [index, token] of tokens.entries()) {
    units.add(token + (tokens[index + 1] ?? "")).add(tokens.slice(0, index + 1).join(""));
  }
  for (const unit of units) recipes.push({ before: "", unit, after: "\0" });
  for (const length of new Set([1, 2, Math.ceil(tokens.length / 2), tokens.length])) {
    const before = tokens.slice(0, length).join("");
    for (const unit of singles.slice(0, MOST_TOKENS))
      recipes.push({ before, unit, after: "\0" }, { before, unit, after: "\n\n" });
  }
  return recipes;
}

const classes: Readonly<Record<string, readonly string[]>> = {
  s: [" ", "\t"],
  S: ["x"],
  d: ["1"],
  D: ["x"],
  w: ["a"],
  W: ["-"],
  n: ["\n"],
  r: ["\r"],
  t: ["\t"],
};

/** `!?\[[^\]\n]*\]` → `! [ ] \n ]`: the characters that an expression names, in order. */
function tokensOf(source: string): string[] {
  const found: string[] = [];
  for (const [, escaped, plain] of source.matchAll(/\\(u[0-9a-fA-F]{4}|.)|([^()[\]{}*+?|^$\\])/gsu)) {
    if (plain !== undefined) found.push(plain === "." ? "x" : plain);
    else if (escaped?.length === 5) found.push(String.fromCharCode(Number.parseInt(escaped.slice(1), 16)));
    else if (escaped !== undefined) found.push(...(classes[escaped] ?? [escaped]));
  }
  return found.length === 0 ? ["x"] : found;
}

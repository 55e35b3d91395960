import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A regular expression of the product's source. */
export interface SourceExpression {
  /** `src/core/ids.ts:12` */
  at: string;
  source: string;
  flags: string;
}

export interface SourceExpressions {
  expressions: SourceExpression[];
  /** Where an expression is put together while the program runs, so that its source is not in the file. */
  computed: { at: string; code: string }[];
}

/** Every regular expression in the product: literals, and calls of `RegExp` with constant arguments. */
export function sourceExpressions(folders: readonly string[]): SourceExpressions {
  const found: SourceExpressions = { expressions: [], computed: [] };
  for (const path of folders.flatMap(productFiles)) {
    const more = expressionsIn(path, readFileSync(join(root, path), "utf8"));
    found.expressions.push(...more.expressions);
    found.computed.push(...more.computed);
  }
  return found;
}

function productFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => /\.[jt]sx?$/.test(path) && !/\.test\.tsx?$|\.d\.ts$|\/fixtures\//.test(path))
    .sort();
}

export function expressionsIn(path: string, text: string): SourceExpressions {
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const found: SourceExpressions = { expressions: [], computed: [] };
  const at = (offset: number) => `${path}:${text.slice(0, offset).split("\n").length}`;
  visit(program, (node) => {
    if (isObject(node["regex"]) && node["type"] === "Literal") {
      const { pattern, flags } = node["regex"];
      found.expressions.push({ at: at(Number(node["start"])), source: `${pattern}`, flags: `${flags}` });
    } else if (callsRegExp(node)) {
      const [source, flags] = asArray(node["arguments"]).map(constantOf);
      const start = Number(node["start"]);
      if (source === undefined || (flags === undefined && asArray(node["arguments"]).length > 1)) {
        found.computed.push({ at: at(start), code: text.slice(start, Number(node["end"])) });
      } else found.expressions.push({ at: at(start), source, flags: flags ?? "" });
    }
  });
  return found;
}

function callsRegExp(node: Record<string, unknown>): boolean {
  const { type, callee } = node;
  return (
    (type === "NewExpression" || type === "CallExpression") &&
    isObject(callee) &&
    (callee["name"] === "RegExp" || (isObject(callee["property"]) && callee["property"]["name"] === "RegExp"))
  );
}

function constantOf(node: unknown): string | undefined {
  return isObject(node) && node["type"] === "Literal" && typeof node["value"] === "string"
    ? node["value"]
    : undefined;
}

function visit(node: unknown, see: (node: Record<string, unknown>) => void): void {
  if (Array.isArray(node)) for (const item of node) visit(item, see);
  else if (isObject(node)) {
    see(node);
    for (const [name, child] of Object.entries(node)) if (name !== "regex") visit(child, see);
  }
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !(value instanceof RegExp);
}

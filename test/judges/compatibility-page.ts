import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isObject } from "../../src/core/json/value.js";
import type { Loss } from "../../src/core/types.js";
import type { Verdict } from "./judge.js";
import type { Program } from "./programs/program.js";
import { programs } from "./programs/registry.js";

const page = fileURLToPath(new URL("../../docs/compatibility.md", import.meta.url));

/** Replaces the generated parts of docs/compatibility.md. */
export function writePage(verdicts: readonly Verdict[]): void {
  let text = readFileSync(page, "utf8");
  text = withPart(text, "results", resultTable(verdicts));
  text = withPart(text, "losses", lossTable(verdicts));
  for (const program of programs) text = withPart(text, `settings of ${program.name}`, settingsText(program));
  writeFileSync(page, text);
}

/** The text between `<!-- NAME -->` and `<!-- end -->`. */
function withPart(text: string, name: string, part: string): string {
  const start = `<!-- ${name} -->\n`;
  const from = text.indexOf(start);
  const to = text.indexOf("<!-- end -->", from);
  if (from < 0 || to < 0) throw new Error(`docs/compatibility.md has no part "${name}"`);
  return `${text.slice(0, from + start.length)}\n${part}\n\n${text.slice(to)}`;
}

function resultTable(verdicts: readonly Verdict[]): string {
  return table(
    ["program", "version", "program's API", "model's API", "model", "turns", "result", "losses"],
    verdicts.map(({ program, version, from, to, model, turns, problems, losses }) => [
      program.title,
      version,
      from,
      from === to ? "the same" : to,
      `\`${model}\``,
      String(turns),
      problems.length === 0 ? "works" : "fails",
      losses.length === 0 ? "none" : String(losses.length),
    ]),
  );
}

/** Which losses there are, and on which routes. */
function lossTable(verdicts: readonly Verdict[]): string {
  const kinds = new Map<string, { loss: Loss; routes: Map<string, string[]> }>();
  for (const verdict of verdicts) {
    for (const loss of verdict.losses) {
      const known = kinds.get(kindOf(loss)) ?? { loss, routes: new Map() };
      kinds.set(kindOf(loss), known);
      const client = clientName(verdict);
      known.routes.set(client, [...(known.routes.get(client) ?? []), verdict.to]);
    }
  }
  const rows = [...kinds.values()].map(({ loss: { what, why, severity }, routes }) => [
    what,
    severity,
    why,
    [...routes].map(([client, targets]) => `${client} → ${targets.join(", ")}`).join("; "),
  ]);
  return table(
    ["what", "severity", "why", "where"],
    rows.sort(([a = ""], [b = ""]) => (a === b ? 0 : a < b ? -1 : 1)),
  );
}

/** A program that speaks several APIs is listed with the one that it uses. */
function clientName({ program, from }: Verdict): string {
  return program.apis.length === 1 ? program.title : `${program.title} (${from})`;
}

function kindOf({ what, why, severity }: Loss): string {
  return JSON.stringify([what, why, severity]);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines
    .map((cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

/** What a user sets to point a program at the gateway; the judges set the same. */
export function settingsText(program: Program): string {
  const [api = "anthropic"] = program.apis;
  const {
    env = {},
    files = {},
    args = [],
  } = program.connect({
    url: "http://127.0.0.1:18800",
    key: "TOKEN",
    model: "MODEL",
    api,
  });
  const written = Object.entries(files).map(([name, content]) => {
    const language = name.endsWith(".toml") ? "toml" : "json";
    const text = isObject(content) ? JSON.stringify(content, null, 2) : content.trimEnd();
    return `\`~/${name}\`:\n\n\`\`\`${language}\n${text}\n\`\`\``;
  });
  const exports = Object.entries(env).map(([name, value]) => `export ${name}=${value}`);
  const command = [program.command, ...args].join(" ");
  return [...written, `\`\`\`sh\n${[...exports, command].join("\n")}\n\`\`\``].join("\n\n");
}

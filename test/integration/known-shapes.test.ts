import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { convert } from "../../src/convert/convert.js";
import { loadReader } from "../../src/convert/detect.js";
import { formatShapes, parseShapes } from "../../src/convert/shapes/shape-list.js";
import { type Drifted, findUnknownShapes } from "../../src/convert/shapes/unknown-shapes.js";
import { type DialectName, loadKnownShapes, shapedDialects } from "../../src/dialects/registry.js";
import { corpus } from "../support/corpus.js";

const root = fileURLToPath(new URL("../../conformance/", import.meta.url));

async function* once(bytes: Uint8Array) {
  yield bytes;
}

async function unknownIn(bytes: Uint8Array, name: string): Promise<Drifted> {
  const known = await loadKnownShapes(name);
  if (known === undefined) throw new Error(`${name} has no list`);
  return findUnknownShapes(once(bytes), await loadReader(name), known);
}

function fixturesOf(name: string): string[] {
  const folder = join(root, name);
  return readdirSync(folder).flatMap((file) => (/\.jsonl?$/.test(file) ? join(folder, file) : []));
}

/** The number of unknown shapes in the fixtures that deviate from their format on purpose. */
const deviating: Record<string, Record<string, number>> = {
  openclaw: { "missing-fields.jsonl": 3, "unknown-fields-and-blocks.jsonl": 13 },
  pi: {
    "compactions.jsonl": 4,
    "ids.jsonl": 6,
    "leaf-that-moves.jsonl": 2,
    "nasty-text.jsonl": 2,
    "notes-of-every-type.jsonl": 6,
    "pi-vocabulary.jsonl": 11,
    "times.jsonl": 7,
    "unknown-fields.jsonl": 18,
    "v2-hook-messages.jsonl": 2,
  },
  cline: {
    "empty.json": 1,
    "extra-blocks.json": 27,
    "metadata-and-names.json": 2,
    "nasty-text.json": 3,
    "odd-metrics.json": 7,
    "string-content.json": 1,
    "tool-results.json": 2,
    "user-times.json": 1,
  },
  "claude-code": {
    "attachments.jsonl": 2,
    "loose-lines.jsonl": 5,
    "nasty-text.jsonl": 1,
    "odd-lines.jsonl": 18,
  },
  codex: { "media.jsonl": 2, "nasty-text.jsonl": 1, "odd-lines.jsonl": 13 },
  opencode: { "odd.json": 9 },
  "gemini-cli": { "document-odd.json": 1, "nasty-text.jsonl": 1, "notes.jsonl": 1 },
  "qwen-code": { "nasty-text.jsonl": 2, "odd-lines.jsonl": 10 },
  "copilot-cli": { "odd.jsonl": 11 },
  cursor: { "extra-fields.jsonl": 5, "unknown-blocks.jsonl": 12 },
};

test("the lists are of session files", () => {
  expect(shapedDialects).toEqual([
    "openclaw",
    "pi",
    "cline",
    "claude-code",
    "codex",
    "opencode",
    "gemini-cli",
    "qwen-code",
    "copilot-cli",
    "cursor",
  ]);
});

describe.each(shapedDialects)("%s", (name) => {
  test("its list is sorted and wrapped as the script writes it", async () => {
    const { objects = "" } = (await loadKnownShapes(name)) ?? {};
    expect(`\n${formatShapes(parseShapes(objects))}`).toBe(objects);
  });

  test("its fixtures have no unknown shapes, except those that deviate on purpose", async () => {
    const found: Record<string, number> = {};
    for (const file of fixturesOf(name)) {
      const { shapes, unread } = await unknownIn(readFileSync(file), name);
      expect(unread).toBe(0);
      if (shapes.length > 0) found[basename(file)] = shapes.length;
    }
    expect(found).toEqual(deviating[name] ?? {});
  });
});

test("a line of an unknown type is listed with its fields", async () => {
  const { shapes } = await unknownIn(readFileSync(join(root, "codex/odd-lines.jsonl")), "codex");
  const place = { kind: "future_type", count: 1, at: "/2", line: 3 };
  expect(shapes.filter(({ kind }) => kind === "future_type")).toEqual([
    { ...place, path: "", type: "object" },
    { ...place, path: "timestamp", type: "string" },
    { ...place, path: "payload", type: "object" },
    { ...place, path: "payload.x", type: "number" },
  ]);
});

describe("what we write is known", () => {
  const sources = ["tool-loop", "thinking-and-signatures", "images", "custom-messages"];
  const targets = shapedDialects.filter(
    (name): name is DialectName => name !== "openclaw" && name !== "cursor",
  );

  test.each(targets)("%s", async (to) => {
    for (const source of sources) {
      const bytes = readFileSync(join(root, `openclaw/${source}.jsonl`));
      const { output } = await convert(bytes, { from: "openclaw", to });
      expect((await unknownIn(new TextEncoder().encode(output), to)).shapes).toEqual([]);
    }
  });
});

const folder = corpus("");

/** The recordings of each dialect. opencode's are in pieces. */
const recordings: Record<string, RegExp> = {
  "claude-code": /^agents\/.*claude.*\.jsonl$/,
  codex: /^agents\/.*codex.*\.jsonl$/,
  "gemini-cli": /^agents\/(gemini-cli|agent-sessions\/gemini)\/(?!official).*\.jsonl?$/,
  "qwen-code": /^agents\/(agent-sessions\/qwen\/.*|qwen-code\/.*\/chat-records)\.jsonl$/,
  "copilot-cli": /^agents\/agent-sessions\/copilot\/.*\.jsonl$/,
  cursor: /^agents\/agent-sessions\/cursor\/.*\.jsonl$/,
  pi: /^(agents\/agent-sessions|sessions)\/pi\/.*\.jsonl$/,
  cline: /^sessions\/cline\/.*\.json$/,
};

describe.skipIf(folder === undefined)("recordings have no unknown shapes", () => {
  const files = folder === undefined ? [] : readdirSync(folder, { recursive: true, encoding: "utf8" });

  test.each(Object.entries(recordings))("%s", async (name, pattern) => {
    // Those files are made to test tolerance.
    const own = files.filter((path) => pattern.test(path) && !path.includes("schema_drift"));
    expect(own.length).toBeGreaterThan(0);
    for (const file of own) {
      const { shapes } = await unknownIn(readFileSync(join(folder ?? "", file)), name);
      expect({ file, shapes }).toEqual({ file, shapes: [] });
    }
  });
});

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));

interface Layer {
  /** Which other layers of ours it may import. */
  imports: string[];
  /** Runs in a browser: no `node:` modules. */
  pure: boolean;
  /** Its folders are siblings that never import each other. */
  siblings?: boolean;
}

const library = ["core", "framing", "markdown", "dialects", "convert", "providers"];

const layers: Record<string, Layer> = {
  core: { imports: [], pure: true },
  framing: { imports: ["core"], pure: true },
  markdown: { imports: ["core"], pure: true },
  dialects: { imports: ["core", "framing"], pure: true, siblings: true },
  convert: { imports: ["core", "framing", "dialects"], pure: true },
  providers: { imports: ["core", "framing", "dialects"], pure: true },
  log: { imports: ["core", "framing"], pure: false },
  agent: { imports: ["core"], pure: true },
  tools: { imports: ["core", "framing", "agent"], pure: false },
  channels: { imports: ["core", "markdown"], pure: false, siblings: true },
  mcp: { imports: ["core", "framing", "agent", "tools"], pure: false },
  telemetry: { imports: ["core", "dialects", "providers", "agent"], pure: true },
  runtime: {
    imports: [...library, "log", "agent", "tools", "channels", "mcp", "acp", "telemetry"],
    pure: false,
  },
  protocol: { imports: ["core"], pure: true },
  client: { imports: ["core", "protocol"], pure: true },
  acp: { imports: ["core", "agent", "tools", "mcp", "protocol", "client"], pure: false },
  gateway: {
    imports: [...library, "log", "agent", "tools", "mcp", "runtime", "channels", "protocol", "client"],
    pure: false,
  },
  cli: {
    imports: [
      ...library,
      ...["log", "agent", "tools", "mcp", "runtime", "channels", "protocol", "client", "acp", "gateway"],
    ],
    pure: false,
  },
};

/** The folders of `web/src`: which of their neighbours and which entries of the package they may import. */
const webFolders: Record<string, { folders: string[]; entries: RegExp }> = {
  text: { folders: [], entries: /^$/ },
  theme: { folders: ["text"], entries: /^$/ },
  transcript: { folders: ["text", "theme"], entries: /^(core|framing|markdown)$/ },
  gateway: { folders: [], entries: /^client$/ },
  app: { folders: ["text", "theme", "transcript", "gateway"], entries: /^(core|client)$/ },
  viewer: {
    folders: ["text", "theme", "transcript", "gateway"],
    entries: /^(core|framing|convert|dialects\/[\w-]+)$/,
  },
};

const webPackages = /^(react|react-dom|marked|highlight\.js|temml|virtua)(\/|$)/;

/** The files of a dialect's folder. Those of every dialect have the same names for the same job; see CONTRIBUTING.md. */
const dialectFiles = {
  required: ["index", "wire"],
  api: ["request", "read-request", "options", "response", "stream-reader", "stream-writer"],
  transcript: ["detect", "decode", "encode", "check"],
  /** Where the dialect has them. What is too long for one file is cut by what it is about: `decode-turn`. */
  optional:
    /^(notes|limits|mend|blocks|framing|known-shapes|stream|time|(check|decode|encode|mend|stream)-[a-z-]+)$/,
};

/** What only one system has, and why it has a file of its own. */
const ownFiles: Record<string, Record<string, string>> = {
  pi: { "entry-type": "entries have types of their own, and the model has roles" },
  "openclaw-turns": {
    "carried-message": "messages of a role that turns do not have travel in a system turn",
    inbound: "metadata says which channel a message came from",
    media: "files stand beside the content",
    "metadata-ext": "what the model keeps in ext has a place in the metadata",
    reasoning: "thinking is one text in the metadata",
    "unknown-role": "turns of a role that the format does not have are kept whole",
  },
  "claude-code": {
    frame: "every line repeats the session and names its parent",
    "group-lines": "an answer has a line for each block, and other lines may come between them",
    "leaf-role": "a loose line may name the leaf, and sub-agents have branches of their own",
    "line-times": "earlier versions open a session at the first of the newest lines",
    skim: "every line has a parent, so a large file is first read without its content",
  },
  codex: {
    "history-base": "the start of a session may be in another file",
    losses: "a file alone does not have all of a session",
    rollback: "an event takes back earlier turns",
  },
  opencode: {
    frame: "a record depends on the record before it, and every part repeats its message",
    header: "the document beside its messages is the session",
    parts: "some parts of a message are not in the conversation and keep their places",
    "result-order": "results are in the order of their calls, unless a field states another",
    "tool-result": "a call and its result are one part",
  },
  "gemini-cli": {
    fold: "lines replace and remove earlier ones",
    frame: "every line needs an id and a time, and the file a header",
    group: "versions of a message and copies of its results are read together",
  },
  "qwen-code": {
    frame: "every line repeats the session and names its parent",
    "leaf-role": "artifacts and sub-agents are beside the conversation",
  },
  atif: {
    header: "the document beside its steps is the session",
    metrics: "usage is stated with cached tokens included",
    shapes: "unknown keys are errors, and each key has a version",
  },
  otel: {
    attributes: "the model and usage of an answer are recorded beside the messages",
    "list-text": "a list can be the text of a JSON array",
  },
  clawtools: {
    accept: "programs hand messages to our connectors in this format",
    "foreign-shapes": "messages of other formats end up among these",
    hints: "check shows the right shape with what is known filled in",
  },
  cline: {
    "derive-id": "every session must have an id that stays the same",
    "file-name": "where Cline looks for a file",
    header: "the document beside its messages is the session",
    metrics: "usage is the sum of a turn",
    "tool-result": "a result is a block, and any value",
    "updated-at": "the header says when the last message was said",
  },
  "ai-sdk": { "tool-result": "a result is a part with a typed output" },
  "ai-sdk-ui": {
    metadata: "applications define it, and the time and the model are in it",
    "result-order": "results are in the order of their calls, unless a field states another",
    "tool-output": "a tool's output is any value",
    "tool-part": "a call and its result are one part",
    "version-4": "files of AI SDK 4 have other shapes",
  },
  chatgpt: { calls: "a call is a message to a tool, without an id" },
  "open-webui": { items: "the steps of an answer are items beside its text" },
  html: {
    article: "a message is an element of the page",
    style: "the style sheet is part of the page",
    "styled-text": "Markdown is styled and stays as it was typed",
  },
  markdown: {
    "html-tags": "a tag in a message would end its quote",
    section: "a message is a section of the page",
  },
  timbal: {
    answer: "the frames of an answer while it streams",
    contract: "which fields each type of message has; the gateway checks them too",
    fold: "frames together amount to records",
    frame: "what one frame asks for",
    ids: "ids are ULIDs in the order of the transcript",
    "live-message": "a message as far as it has arrived",
    "ordered-tree": "messages arrive in any order",
    receiver: "the receiving end of a connection",
    sender: "the sending end of a connection",
    transcript: "the messages of one stream",
  },
};

/** The dialects that are only written. */
const writtenOnly = ["html", "markdown", "openai-finetune"];

const MAX_LINES = 400;

interface SourceFile {
  path: string;
  lines: number;
  imports: string[];
}

const importPattern = /(?:from|import)\s*\(?\s*"([^"]+)"/g;

function sources(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(fixtures|generated|node_modules|dist)\//.test(path))
    .map((path) => {
      const text = readFileSync(join(root, path), "utf8");
      const imports = [...text.matchAll(importPattern)].flatMap(([, target]) => target ?? []);
      return { path, lines: text.split("\n").length - 1, imports };
    });
}

const src = sources("src");
const all = [...src, ...["test", "bench", "scripts", "web"].flatMap(sources)];
const product = src.filter(({ path }) => !path.endsWith(".test.ts"));
const web = sources("web/src").filter(({ path }) => !/\.(test\.tsx?|d\.ts)$/.test(path));

/** `src/dialects/cline/decode.ts` → layer `dialects`, sibling `cline`. */
function placeOf(path: string): { layer: string; sibling: string | undefined } {
  const [, layer = "", ...rest] = path.split("/");
  return { layer: layer.replace(/\.ts$/, ""), sibling: rest.length > 1 ? rest[0] : undefined };
}

/** What is wrong with one import of one file; undefined when nothing is. */
function violation(path: string, target: string): string | undefined {
  const from = placeOf(path);
  const layer = layers[from.layer];
  if (layer === undefined) return undefined;
  if (target.startsWith("node:")) {
    return layer.pure ? `${path} is pure but imports ${target}` : undefined;
  }
  if (!target.startsWith(".")) return undefined;
  const to = placeOf(normalize(join(dirname(path), target)));
  if (to.layer !== from.layer) {
    return layer.imports.includes(to.layer) ? undefined : `${path} must not import ${to.layer}`;
  }
  const strangers = layer.siblings === true && from.sibling !== undefined && to.sibling !== undefined;
  return strangers && from.sibling !== to.sibling
    ? `${path} must not import its sibling ${to.sibling}`
    : undefined;
}

/** The same for the web app, which sees the library as its users do: by the names of its entries. */
function webViolation(path: string, target: string): string | undefined {
  const [, , from = ""] = path.split("/");
  const folder = webFolders[from];
  if (folder === undefined) return `${path} is in no folder of web/src that there should be`;
  if (target.startsWith(".")) {
    const [top, , to = ""] = normalize(join(dirname(path), target)).split("/");
    if (top !== "web") return `${path} must name what it takes from the package`;
    return to === from || folder.folders.includes(to) ? undefined : `${path} must not import ${to}`;
  }
  const [, entry] = /^dragoman\/(.+)$/.exec(target) ?? [];
  const allowed = entry === undefined ? webPackages.test(target) : folder.entries.test(entry);
  return allowed ? undefined : `${path} must not import ${target}`;
}

describe("the layers", () => {
  test("every folder of src is a layer", () => {
    const folders = readdirSync(join(root, "src"), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    expect(folders.map(({ name }) => name).filter((name) => layers[name] === undefined)).toEqual([]);
  });

  test("nobody imports upwards, sideways, or node: where it must not", () => {
    const violations = product.flatMap(({ path, imports }) =>
      imports.flatMap((target) => violation(path, target) ?? []),
    );
    expect(violations).toEqual([]);
  });

  test.each([
    [
      "src/core/stream/reduce.ts",
      "../../framing/sse.js",
      "src/core/stream/reduce.ts must not import framing",
    ],
    ["src/core/stream/reduce.ts", "node:fs", "src/core/stream/reduce.ts is pure but imports node:fs"],
    [
      "src/dialects/pi/decode.ts",
      "../cline/wire.js",
      "src/dialects/pi/decode.ts must not import its sibling cline",
    ],
    ["src/agent/loop.ts", "../log/append.js", "src/agent/loop.ts must not import log"],
    ["src/markdown/chunk.ts", "node:util", "src/markdown/chunk.ts is pure but imports node:util"],
    [
      "src/channels/telegram/outgoing.ts",
      "../discord/send.js",
      "src/channels/telegram/outgoing.ts must not import its sibling discord",
    ],
  ])("%s importing %s would be noticed", (path, target, message) => {
    expect(violation(path, target)).toBe(message);
  });

  test("the web app keeps to its folders, and to the entries of the package that run in browsers", () => {
    const violations = web.flatMap(({ path, imports }) =>
      imports.flatMap((target) => webViolation(path, target) ?? []),
    );
    expect(violations).toEqual([]);
  });

  test.each([
    ["web/src/app/app.tsx", "../viewer/tree.js", "web/src/app/app.tsx must not import viewer"],
    ["web/src/app/app.tsx", "dragoman/log", "web/src/app/app.tsx must not import dragoman/log"],
    ["web/src/app/app.tsx", "node:fs", "web/src/app/app.tsx must not import node:fs"],
    [
      "web/src/app/app.tsx",
      "../../../src/core/ids.js",
      "web/src/app/app.tsx must name what it takes from the package",
    ],
    ["web/src/app.tsx", "react", "web/src/app.tsx is in no folder of web/src that there should be"],
  ])("%s importing %s would be noticed", (path, target, message) => {
    expect(webViolation(path, target)).toBe(message);
  });
});

describe("the folders of the dialects", () => {
  const folders = readdirSync(join(root, "src/dialects"), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
  const filesOf = (dialect: string) =>
    product.flatMap(({ path }) => {
      const [, folder, name = ""] = /^src\/dialects\/([^/]+)\/(.+)\.ts$/.exec(path) ?? [];
      return folder === dialect ? [name] : [];
    });
  const transcripts = folders.filter((dialect) => !filesOf(dialect).includes("request"));

  test.each(folders)("%s has the files that every dialect of its kind has", (dialect) => {
    const transcript = writtenOnly.includes(dialect) ? [] : dialectFiles.transcript;
    const kind = transcripts.includes(dialect) ? transcript : dialectFiles.api;
    expect(filesOf(dialect)).toEqual(expect.arrayContaining([...dialectFiles.required, ...kind]));
  });

  test.each(transcripts)("%s has no file whose name is used nowhere else without a reason", (dialect) => {
    const known = new Set([...dialectFiles.required, ...dialectFiles.transcript]);
    const others = filesOf(dialect).filter((name) => !known.has(name) && !dialectFiles.optional.test(name));
    expect(others.sort()).toEqual(Object.keys(ownFiles[dialect] ?? {}).sort());
  });

  test.each(transcripts)("%s says its name in wire.ts", (dialect) => {
    const wire = readFileSync(join(root, "src/dialects", dialect, "wire.ts"), "utf8");
    expect(wire).toContain(`export const NAME = "${dialect}";`);
  });
});

describe("the files", () => {
  test(`none has more than ${MAX_LINES} lines`, () => {
    expect(all.filter(({ lines }) => lines > MAX_LINES).map(({ path }) => path)).toEqual([]);
  });

  test("none has a name that says nothing", () => {
    const empty = /(^|\/)(utils?|helpers?|common|manager|service|misc)\.tsx?$/;
    expect(all.map(({ path }) => path).filter((path) => empty.test(path))).toEqual([]);
  });

  test("none imports the object `Type` of TypeBox, with which the bundle would contain all of TypeBox", () => {
    const importsType = /^import \{[^}]*(?<!type )\bType\b[^}]*\} from "@sinclair\/typebox"/m;
    const users = product.filter(({ path }) => importsType.test(readFileSync(join(root, path), "utf8")));
    expect(users.map(({ path }) => path)).toEqual([]);
  });

  test("pure layers use no global of Node", () => {
    const pure = product.filter(({ path }) => layers[placeOf(path).layer]?.pure === true);
    const users = [...pure, ...web].filter(({ path }) =>
      /\b(Buffer|process|__dirname|setImmediate)\b\s*[.(]/.test(readFileSync(join(root, path), "utf8")),
    );
    expect(users.map(({ path }) => relative(root, join(root, path)))).toEqual([]);
  });
});

import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SessionFolder } from "../../../test/fakes/session-folder.js";
import { emptyUsage } from "../../core/message/usage.js";
import { openCatalogue } from "./catalogue.js";
import type { Catalogue } from "./types.js";

let folder: SessionFolder;
let catalogue: Catalogue;

beforeEach(() => {
  folder = new SessionFolder();
  catalogue = openCatalogue(folder.options());
});

afterEach(async () => {
  await catalogue.close();
  folder.remove();
});

function header(id: string, timestamp: number, more: object = {}) {
  return { role: "session", id, timestamp, ...more };
}

function user(text: string, timestamp: number, more: object = {}) {
  return { role: "user", content: text, timestamp, ...more };
}

function answer(text: string, timestamp: number, more: object = {}) {
  const content = [{ type: "text", text }];
  const model = { api: "messages", provider: "anthropic", model: "claude-fable-5" };
  return {
    role: "assistant",
    content,
    ...model,
    usage: emptyUsage(),
    stopReason: "stop",
    timestamp,
    ...more,
  };
}

function cost(total: number) {
  return { ...emptyUsage(), input: 10, output: 5, totalTokens: 15, cost: { ...emptyUsage().cost, total } };
}

function meta(data: object, timestamp: number) {
  return { role: "custom", customType: "dragoman/meta", data, timestamp };
}

function toolResult(text: string, timestamp: number) {
  const content = [{ type: "text", text }];
  return { role: "toolResult", toolCallId: "c", toolName: "read", content, isError: false, timestamp };
}

async function titles(): Promise<(string | undefined)[]> {
  return (await catalogue.list()).map(({ title }) => title);
}

async function found(query: string): Promise<string[]> {
  const { hits } = await catalogue.search(query);
  return hits.map(({ session, position }) => `${session}@${position}`).sort();
}

test("everything that is kept of a session", async () => {
  const parent = { session: "P", message: "M", toolCallId: "T" };
  folder.append("A", [header("A", 1000, { key: "telegram:7", agent: "main", parent })]);
  appendFileSync(folder.path("A"), "{broken\n\n");
  folder.append("A", [
    user("Read  the\nlog", 2000),
    answer("Yes.", 3000, { usage: cost(0.1) }),
    toolResult("line", 4000),
    answer("Done.", 5000, { usage: cost(0.2), ext: { synthesised: ["/usage/cost"] }, model: "other" }),
    { role: "status", state: "idle", timestamp: 9000 },
  ]);
  expect(await catalogue.update()).toEqual({ sessions: 1, changed: 1, removed: 0 });
  expect(await catalogue.list()).toEqual([
    {
      id: "A",
      source: "dragoman",
      agent: "main",
      key: "telegram:7",
      path: folder.path("A"),
      foreign: false,
      title: "Read the log",
      created: 1000,
      active: 5000,
      counts: { user: 1, assistant: 2, toolResult: 1, lines: 8, bad: 1 },
      badLines: [2],
      usage: {
        input: 20,
        output: 10,
        cacheRead: 0,
        cacheWrite: 0,
        totalTokens: 30,
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.3 },
      },
      unknownPrices: true,
      models: ["anthropic/claude-fable-5", "anthropic/other"],
      archived: false,
      parent: { session: "P", message: "M", toolCallId: "T" },
    },
  ]);
});

describe("titles", () => {
  test("the latest note wins over the header, and an empty one takes it away", async () => {
    folder.append("A", [header("A", 1, { title: "given" }), user("said", 2)]);
    expect(await titles()).toEqual(["given"]);
    folder.append("A", [meta({ title: "renamed" }, 3)]);
    await catalogue.update();
    expect(await titles()).toEqual(["renamed"]);
    folder.append("A", [meta({ title: "" }, 4)]);
    await catalogue.update();
    expect(await titles()).toEqual(["said"]);
  });

  test("a long beginning is cut at 80 characters, and not inside of one", async () => {
    folder.append("A", [header("A", 1), user(`${"😀".repeat(90)}`, 2)]);
    expect(await titles()).toEqual([`${"😀".repeat(79)}…`]);
  });
});

describe("an update", () => {
  test("reads what was added, and nothing when nothing was", async () => {
    folder.append("A", [header("A", 1), user("alpha", 2)]);
    await catalogue.update();
    expect(await catalogue.update()).toEqual({ sessions: 1, changed: 0, removed: 0 });
    folder.append("A", [user("beta", 3)]);
    expect(await catalogue.update()).toEqual({ sessions: 1, changed: 1, removed: 0 });
    expect(await found("alpha")).toEqual(["A@42"]);
    expect(await found("beta")).toEqual(["A@90"]);
    expect((await catalogue.get("A"))?.counts.lines).toBe(3);
  });

  test("leaves a torn last line until it is whole", async () => {
    folder.append("A", [header("A", 1)]);
    appendFileSync(folder.path("A"), '{"role":"user","content":"torn wo');
    await catalogue.update();
    expect((await catalogue.get("A"))?.counts.lines).toBe(1);
    appendFileSync(folder.path("A"), 'rd","timestamp":2}\n');
    await catalogue.update();
    expect(await found('"torn word"')).toEqual(["A@42"]);
  });

  test.each([
    ["shrank", () => truncateSync(folder.path("A"), 42)],
    ["was replaced", () => replace(folder.path("A"), [header("A", 1), user("delta", 2), user("beta", 3)])],
    ["was written over", () => writeFileSync(folder.path("A"), `${" ".repeat(200)}\n`)],
  ])("a file that %s is indexed anew", async (_, change) => {
    folder.append("A", [header("A", 1), user("alpha", 2)]);
    await catalogue.update();
    change();
    await catalogue.update();
    expect(await found("alpha")).toEqual([]);
    expect((await catalogue.list()).length).toBe(1);
  });

  /** Both begin with the same lines, so that only the file's number tells them apart. */
  function replace(path: string, messages: unknown[]): void {
    folder.append("new", messages, "elsewhere");
    renameSync(folder.path("new", "elsewhere"), path);
  }

  test("forgets a session whose file is gone", async () => {
    folder.append("A", [header("A", 1), user("alpha", 2)]);
    folder.append("B", [header("B", 1), user("alpha", 2)]);
    await catalogue.update();
    rmSync(folder.path("A"));
    expect(await catalogue.update()).toEqual({ sessions: 1, changed: 0, removed: 1 });
    expect(await found("alpha")).toEqual(["B@42"]);
    expect(await catalogue.get("A")).toBeUndefined();
  });

  test("a foreign session is read through its dialect, anew each time it changes", async () => {
    writeFileSync(folder.path("F", "foreign"), JSON.stringify([user("alpha", 5), user("beta", 6)]));
    await catalogue.update();
    expect(await found("beta")).toEqual(["F@1"]);
    writeFileSync(folder.path("F", "foreign"), JSON.stringify([user("gamma", 7)]));
    await catalogue.update();
    expect(await found("beta")).toEqual([]);
    expect(await catalogue.get("F")).toMatchObject({ foreign: true, title: "gamma", created: 7 });
  });

  test("stops when it is told to, and the next one goes on", async () => {
    for (const id of ["A", "B", "C"]) folder.append(id, [header(id, 1), user("alpha", 2)]);
    const stop = new AbortController();
    const reason = new Error("enough");
    const update = catalogue.update({ signal: stop.signal, onProgress: () => stop.abort(reason) });
    await expect(update).rejects.toBe(reason);
    await catalogue.update();
    expect(await found("alpha")).toEqual(["A@42", "B@42", "C@42"]);
  });

  test("a session that is touched is indexed soon, also one that nobody has seen before", async () => {
    folder.append("A", [header("A", 1)]);
    await catalogue.update();
    folder.append("A", [user("alpha", 2)]);
    await Promise.all([catalogue.indexSoon("A"), catalogue.indexSoon("A")]);
    expect(await found("alpha")).toEqual(["A@42"]);
    folder.append("B", [header("B", 1), user("beta", 2)]);
    await catalogue.indexSoon("B");
    expect(await found("beta")).toEqual(["B@42"]);
  });
});

describe("asking", () => {
  beforeEach(() => {
    folder.append("AA1", [header("AA1", 10, { key: "k" }), user("one", 40)]);
    folder.append("AA2", [header("AA2", 20), user("two", 30), meta({ archived: true }, 50)], "other");
    folder.append("B", [header("B", 30), user("three", 20, { usage: 1 })]);
  });

  async function ids(options: Parameters<Catalogue["list"]>[0]): Promise<string[]> {
    return (await catalogue.list(options)).map(({ id }) => id);
  }

  test("the first question builds the index", async () => {
    expect(await ids({})).toEqual(["AA1", "AA2", "B"]);
  });

  test("lists are sorted, filtered and cut", async () => {
    expect(await ids({ sort: "created" })).toEqual(["B", "AA2", "AA1"]);
    expect(await ids({ agent: "main" })).toEqual(["AA1", "B"]);
    expect(await ids({ archived: true })).toEqual(["AA2"]);
    expect(await ids({ archived: false })).toEqual(["AA1", "B"]);
    expect(await ids({ limit: 2 })).toEqual(["AA1", "AA2"]);
    expect(await ids({ before: "AA2" })).toEqual(["B"]);
  });

  test("a session is found by id, key and the beginning of its id", async () => {
    expect((await catalogue.get("AA2"))?.id).toBe("AA2");
    expect((await catalogue.get("k"))?.id).toBe("AA1");
    expect((await catalogue.get("B"))?.id).toBe("B");
    expect(await catalogue.get("")).toBeUndefined();
    expect(await catalogue.get("Z%")).toBeUndefined();
    await expect(catalogue.get("AA")).rejects.toMatchObject({
      code: "log/ambiguous",
      message: "2 sessions begin with AA: AA1, AA2",
    });
  });

  test("the sums of all", async () => {
    expect(await catalogue.stats()).toMatchObject({
      sessions: 3,
      archived: 1,
      counts: { user: 3, assistant: 0, toolResult: 0, lines: 7, bad: 0 },
      unknownPrices: false,
    });
  });
});

import { rmSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { SessionFolder } from "../../../test/fakes/session-folder.js";
import { openCatalogue } from "./catalogue.js";
import type { Catalogue } from "./types.js";

let folder: SessionFolder;

beforeEach(() => {
  folder = new SessionFolder();
});

afterEach(() => folder.remove());

function header(id: string, timestamp: number) {
  return { role: "session", id, timestamp };
}

function user(text: string, timestamp: number) {
  return { role: "user", content: text, timestamp };
}

describe("an update that knows which files have changed", () => {
  let changes: Set<string> | undefined;
  let calls: string[];
  let watching: Catalogue;

  beforeEach(async () => {
    calls = [];
    changes = undefined;
    watching = openCatalogue({
      ...folder.options(),
      sessions: () => {
        calls.push("list");
        return folder.list();
      },
      changed: {
        begin: async () => {
          calls.push("begin");
        },
        changes: async () => changes,
        close: () => calls.push("close"),
      },
    });
    for (const id of ["A", "B"]) folder.append(id, [header(id, 1), user("alpha", 2)]);
    await watching.update();
    await watching.update();
  });

  test("begins to watch with the second update, before files are listed", () => {
    expect(calls).toEqual(["list", "begin", "list"]);
  });

  test("lists nothing, and reads only those files", async () => {
    calls = [];
    changes = new Set();
    expect(await watching.update()).toEqual({ sessions: 2, changed: 0, removed: 0 });
    folder.append("B", [user("beta", 3)]);
    changes = new Set([folder.path("A"), folder.path("B")]);
    expect(await watching.update()).toEqual({ sessions: 2, changed: 1, removed: 0 });
    expect((await watching.search("beta")).hits.map(({ session }) => session)).toEqual(["B"]);
    expect(calls).toEqual([]);
  });

  test.each([
    ["is new", () => folder.append("C", [header("C", 1)])],
    ["is gone", () => rmSync(folder.path("C"), { force: true })],
  ])("lists all files if one %s", async (_, change) => {
    calls = [];
    changes = new Set([folder.path("C")]);
    change();
    await watching.update();
    expect(calls).toEqual(["begin", "list"]);
  });

  test("does not rely on the changes after a failure", async () => {
    folder.append("B", [user("beta", 3)]);
    calls = [];
    changes = new Set([folder.path("B")]);
    await expect(watching.update({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow(
      "enough",
    );
    expect(calls).toEqual(["close"]);
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { opencodeDatabase } from "../../../test/fakes/opencode-database.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Catalogue, SessionSource } from "../../log/catalogue/types.js";
import { openSessions } from "../sessions.js";
import { programs } from "./programs.js";
import { openSource } from "./source.js";
import { filesNamed } from "./sources.js";

let root: string;
let notes: string[];
let catalogue: Catalogue;
/** The sessions that were read, in order. */
let reads: string[];

beforeEach(async () => {
  root = temporaryFolder();
  notes = [];
  reads = [];
  ({ catalogue } = await openSessions(temporaryFolder()));
});

afterEach(() => catalogue.close());

function opened() {
  const files = [programs["opencode"]?.files ?? []].flat();
  const onNote = (text: string) => notes.push(text);
  return openSource({ name: "opencode", dialect: "opencode", roots: [root], files, onNote });
}

async function updated(): Promise<string[]> {
  const source = opened();
  const watched: SessionSource = {
    ...source,
    readForeign: (path, onBadLine) => {
      reads.push(path.slice(root.length + 1));
      return source.readForeign(path, onBadLine);
    },
  };
  await catalogue.update({ source: watched });
  return reads.splice(0);
}

test("sessions of the database are indexed, and read again only after they have changed", async () => {
  const opencode = opencodeDatabase(join(root, "opencode.db"));
  opencode.addSession("ses_1");
  opencode.addUser("ses_1", "msg_1", "Where is the ferry timetable?");
  opencode.addSession("ses_2");
  opencode.addUser("ses_2", "msg_2", "Anything else");
  opencode.publish();
  expect(await updated()).toEqual(["opencode.db/ses_1", "opencode.db/ses_2"]);
  expect(await updated()).toEqual([]);

  opencode.addAnswer("ses_1", "msg_3", "msg_1");
  opencode.setPart("msg_3", "prt_9", { type: "text", text: "" });
  opencode.publish();
  expect(await updated()).toEqual(["opencode.db/ses_1"]);
  opencode.setPart("msg_3", "prt_9", { type: "text", text: "On the harbour's page." });
  opencode.publish();
  expect(await updated()).toEqual(["opencode.db/ses_1"]);

  const [session] = await catalogue.list({ sources: ["opencode"] });
  expect(session).toMatchObject({
    id: "ses_1",
    path: join(root, "opencode.db/ses_1"),
    title: "Title of ses_1",
    folder: "/home/ann/harbour",
    models: ["anthropic/claude-sonnet-4-5"],
    counts: { user: 1, assistant: 1 },
    usage: { input: 100, output: 20, cost: { total: 0.25 } },
  });
  const { hits } = await catalogue.search("harbour's", { sources: "all" });
  expect(hits.map(({ session: id, role }) => [id, role])).toEqual([["ses_1", "assistant"]]);

  opencode.db.exec("DELETE FROM session WHERE id = 'ses_1'; PRAGMA wal_checkpoint(TRUNCATE)");
  opencode.publish();
  expect(await updated()).toEqual([]);
  expect((await catalogue.list({ sources: ["opencode"] })).map(({ id }) => id)).toEqual(["ses_2"]);
  expect(notes).toEqual([]);
});

test("the database hides the files from which its sessions came", async () => {
  const opencode = opencodeDatabase(join(root, "opencode.db"));
  opencode.addSession("ses_1");
  opencode.publish();
  for (const id of ["ses_1", "ses_old"]) {
    const path = join(root, "storage/session/global", `${id}.json`);
    mkdirSync(dirname(path), { recursive: true });
    const info = {
      id,
      projectID: "global",
      directory: "/w",
      title: "Old",
      version: "0.9",
      time: { created: 1 },
    };
    writeFileSync(path, JSON.stringify(info));
  }
  const found = await filesNamed([opened()], "ses_");
  expect(found.map(({ file }) => file.path.slice(root.length + 1))).toEqual([
    "opencode.db/ses_1",
    "storage/session/global/ses_old.json",
  ]);
});

test("a file that is not a database is reported", async () => {
  writeFileSync(join(root, "opencode-dev.db"), "not a database ".repeat(20));
  const found = await filesNamed([opened()], "ses_");
  expect(found).toEqual([]);
  expect(notes).toEqual([
    `sessions of opencode: ${join(root, "opencode-dev.db")} cannot be read: it is not a SQLite database`,
  ]);
});

import { mkdirSync, readdirSync, truncateSync } from "node:fs";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { openSessions } from "./sessions.js";

const path = folderForEachTest();

async function idsListed(): Promise<string[]> {
  const { catalogue } = await openSessions(path());
  try {
    return (await catalogue.list()).map(({ id }) => id);
  } finally {
    await catalogue.close();
  }
}

async function makeSession(): Promise<string> {
  const { log, catalogue } = await openSessions(path());
  const session = await log.create({ agent: "main" });
  await session.close();
  await catalogue.close();
  return session.id;
}

test("a process that was killed while it had the index open keeps no one from reading it", async () => {
  const id = await makeSession();
  expect(await idsListed()).toEqual([id]);
  // SQLite marks a database that is open with a folder of this name.
  mkdirSync(path("index/sessions.db.lock"));
  expect(await idsListed()).toEqual([id]);
});

test("locks are kept apart from the index, so that taking one never reads it", async () => {
  const id = await makeSession();
  await idsListed();
  expect(readdirSync(path("index"))).toEqual(["sessions.db"]);
  // More than a string can hold: reading it as one would fail.
  truncateSync(path("index/sessions.db"), 2 ** 30);
  expect(await idsListed()).toEqual([id]);
});

import { readdirSync } from "node:fs";
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

test("locks are kept apart from the index", async () => {
  const id = await makeSession();
  expect(await idsListed()).toEqual([id]);
  expect(readdirSync(path("index")).sort()).toEqual(["sessions.rows", "texts"]);
});

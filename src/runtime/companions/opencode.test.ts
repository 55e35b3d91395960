import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { opencodeDatabase } from "../../../test/fakes/opencode-database.js";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import type { Loss } from "../../core/types.js";
import { opencodeCompanions } from "./opencode.js";

async function joined(path: string): Promise<{ document: unknown; losses: Loss[] }> {
  const losses: Loss[] = [];
  const chunks: Uint8Array[] = [];
  for await (const chunk of opencodeCompanions.join(path, (loss) => losses.push(loss))) chunks.push(chunk);
  return { document: JSON.parse(Buffer.concat(chunks).toString()), losses };
}

function write(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
}

test("a session in the database is the document that opencode exports", async () => {
  const opencode = opencodeDatabase(join(temporaryFolder(), "opencode.db"));
  opencode.addSession("ses_other");
  opencode.addSession("ses_1", {
    parent_id: "ses_other",
    share_url: "https://share.example/1",
    summary_additions: 3,
    metadata: '{"exact":1.0}',
    revert: '{"messageID":"msg_9"}',
    cost: 0.25,
    tokens_input: 100,
  });
  opencode.addUser("ses_1", "msg_2", "List files");
  opencode.addUser("ses_other", "msg_1", "Not this one");
  opencode.addAnswer("ses_1", "msg_3", "msg_2");
  opencode.setPart("msg_3", "prt_b", { type: "text", text: "Done." });
  opencode.setPart("msg_3", "prt_a", { type: "step-start" });
  opencode.publish();
  const { document, losses } = await joined(join(opencode.path, "ses_1"));
  expect(losses).toEqual([]);
  expect(document).toEqual({
    info: {
      id: "ses_1",
      slug: "quiet-harbour",
      projectID: "global",
      directory: "/home/ann/harbour",
      parentID: "ses_other",
      title: "Title of ses_1",
      version: "1.18.34",
      summary: { additions: 3, deletions: 0, files: 0 },
      cost: 0.25,
      tokens: { input: 100, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      share: { url: "https://share.example/1" },
      metadata: { exact: 1 },
      revert: { messageID: "msg_9" },
      time: { created: 1_767_261_602_000, updated: 1_767_261_602_000 },
    },
    messages: [
      {
        info: {
          id: "msg_2",
          sessionID: "ses_1",
          role: "user",
          time: { created: 1_767_261_603_000 },
          agent: "build",
          model: { providerID: "anthropic", modelID: "claude-sonnet-4-5" },
        },
        parts: [{ id: "prt_2", sessionID: "ses_1", messageID: "msg_2", type: "text", text: "List files" }],
      },
      {
        info: {
          id: "msg_3",
          sessionID: "ses_1",
          role: "assistant",
          time: { created: 1_767_261_607_000 },
          parentID: "msg_2",
          providerID: "anthropic",
          modelID: "claude-sonnet-4-5",
          mode: "build",
          agent: "build",
          path: { cwd: "/home/ann/harbour", root: "/home/ann/harbour" },
          cost: 0.25,
          tokens: { input: 100, output: 20, reasoning: 0, cache: { read: 0, write: 0 } },
          finish: "stop",
        },
        parts: [
          { id: "prt_a", sessionID: "ses_1", messageID: "msg_3", type: "step-start" },
          { id: "prt_b", sessionID: "ses_1", messageID: "msg_3", type: "text", text: "Done." },
        ],
      },
    ],
  });
});

test("the text of JSON columns and data is kept", async () => {
  const opencode = opencodeDatabase(join(temporaryFolder(), "opencode.db"));
  opencode.addSession("ses_1", { metadata: '{"exact":1.0}' });
  opencode.addUser("ses_1", "msg_1", "One");
  opencode.db.run("UPDATE part SET data = ?", ['{ "type":"text","text":"One","n":12345678901234567890 }']);
  opencode.publish();
  const chunks: Uint8Array[] = [];
  for await (const chunk of opencodeCompanions.join(join(opencode.path, "ses_1"), () => undefined))
    chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  expect(text).toContain('"metadata":{"exact":1.0}');
  expect(text).toContain('"n":12345678901234567890 }');
});

test("messages in the form of a newer version, and a session that is gone, are errors", async () => {
  const opencode = opencodeDatabase(join(temporaryFolder(), "opencode.db"));
  opencode.addSession("ses_1");
  opencode.db.run("INSERT INTO session_message VALUES ('m', 'ses_1', 'user', 1, '{}')");
  opencode.publish();
  await expect(joined(join(opencode.path, "ses_1"))).rejects.toThrow(
    `${opencode.path} is not a known opencode database: its session ses_1 has messages in a form of a newer version`,
  );
  await expect(joined(join(opencode.path, "ses_2"))).rejects.toMatchObject({ code: "log/no-session" });
  opencode.db.exec("DROP TABLE part");
  opencode.publish();
  await expect(opencodeCompanions.sessionsIn?.(opencode.path)).rejects.toThrow(
    "it has no tables of sessions",
  );
});

test("a session is newer after a change to any part of its last message, and larger with more of them", async () => {
  const opencode = opencodeDatabase(join(temporaryFolder(), "opencode.db"));
  const sessions = async () => {
    opencode.publish();
    const found = (await opencodeCompanions.sessionsIn?.(opencode.path)) ?? [];
    return found.map(({ id, size, modified }) => [id, size, (modified - 1_767_261_600_000) / 1000]);
  };
  opencode.addSession("ses_1");
  opencode.addSession("ses_2");
  expect(await sessions()).toEqual([
    ["ses_1", 0, 1],
    ["ses_2", 0, 2],
  ]);
  opencode.addUser("ses_1", "msg_1", "One");
  opencode.addAnswer("ses_1", "msg_2", "msg_1");
  opencode.setPart("msg_2", "prt_2", { type: "text", text: "" });
  opencode.setPart("msg_2", "prt_3", { type: "text", text: "x".repeat(100_000) });
  expect(await sessions()).toEqual([
    ["ses_1", 5, 7],
    ["ses_2", 0, 2],
  ]);
  opencode.setPart("msg_2", "prt_2", { type: "text", text: "Two" });
  expect(await sessions()).toEqual([
    ["ses_1", 5, 8],
    ["ses_2", 0, 2],
  ]);
});

test("a session in files is joined, and a damaged file is a loss", async () => {
  const storage = join(temporaryFolder(), "storage");
  const session = join(storage, "session/global/ses_1.json");
  const info = {
    id: "ses_1",
    projectID: "global",
    directory: "/w",
    title: "Files",
    version: "0.9",
    time: { created: 1 },
  };
  write(session, info);
  expect(await joined(session)).toEqual({ document: { info, messages: [] }, losses: [] });
  write(join(storage, "message/ses_1/msg_1.json"), { id: "msg_1", role: "assistant", time: { created: 3 } });
  write(join(storage, "message/ses_1/msg_2.json"), { id: "msg_2", role: "user", time: { created: 2 } });
  write(join(storage, "message/ses_2/msg_3.json"), { id: "msg_3", role: "user", time: { created: 2 } });
  write(join(storage, "part/msg_2/prt_2.json"), { id: "prt_2", type: "text", text: "b" });
  write(join(storage, "part/msg_2/prt_1.json"), { id: "prt_1", type: "text", text: "a" });
  write(join(storage, "part/msg_1/prt_3.json"), '{"id":"prt_3","ty');
  expect(await joined(session)).toEqual({
    document: {
      info,
      messages: [
        {
          info: { id: "msg_2", role: "user", time: { created: 2 } },
          parts: [
            { id: "prt_1", type: "text", text: "a" },
            { id: "prt_2", type: "text", text: "b" },
          ],
        },
        { info: { id: "msg_1", role: "assistant", time: { created: 3 } }, parts: [] },
      ],
    },
    losses: [
      { at: "", what: "the file prt_3.json", why: "it is damaged", severity: "dropped", of: "message" },
    ],
  });
  expect(await opencodeCompanions.filesOf(session)).toEqual([
    join(storage, "message/ses_1"),
    join(storage, "message/ses_1/msg_2.json"),
    join(storage, "part/msg_2/prt_1.json"),
    join(storage, "part/msg_2/prt_2.json"),
  ]);
});

test("an export is read as it is, wherever it is", async () => {
  const folder = temporaryFolder();
  const document = { info: { id: "ses_1" }, messages: [] };
  for (const name of ["export.json", "session/global/ses_1.json"]) {
    const path = join(folder, name);
    write(path, document);
    expect(await joined(path)).toEqual({ document, losses: [] });
    expect(existsSync(path)).toBe(true);
  }
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { FileStore } from "../../src/log/files/file-store.js";
import { held, keyed, user } from "../conformance/store/tested-store.js";
import { told } from "../fakes/watching.js";
import { main, workspace } from "../support/cli/run-cli.js";
import { startServe } from "../support/cli/serve-process.js";
import { connectRpc } from "../support/gateway-clients.js";
import { openPostgres } from "../support/postgres/open-store.js";
import { newPostgresAddress } from "../support/postgres/shared.js";

const { path, put, spawned } = workspace();
const ACCOUNT = "channels/telegram/main";

function openFiles(name: string): FileStore {
  return new FileStore({ home: path(name), readForeign: async function* () {} });
}

const names = {
  read: String,
  apply: () => undefined,
  snapshot: () => ["x"],
  onNote: (text: string) => expect.fail(text),
};

/** The sessions' files, by name. */
function bytesIn(home: string): Record<string, string> {
  const folder = join(path(home), "agents/main/sessions");
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(folder, name), "latin1")]));
}

async function fill(home: string, sessions: number): Promise<string[]> {
  const { log } = openFiles(home);
  const ids = [];
  for (let count = 0; count < sessions; count++) {
    const session = await log.create({ agent: "main", key: `agent:main:test:dm:${count}` });
    await session.append([keyed(`hello ${count}`, `k${count}`), user("x".repeat(100_000))]);
    await session.close();
    ids.push(session.id);
  }
  return ids;
}

test("a home that is copied to a database and back has the same bytes", async () => {
  const [first = "", second = ""] = await fill("one", 2);
  const file = (id: string) => path(`one/agents/main/sessions/${id}.jsonl`);
  const odd = Buffer.concat([
    Buffer.from('{"role":"odd"}\r\n\n \nnot JSON \0\n'),
    Buffer.from([0xff, 0xfe, 0x0a]),
  ]);
  appendFileSync(file(first), odd);
  appendFileSync(file(second), '{"role":"user","content":"torn');
  const files = openFiles("one");
  const newer = await files.log.create({ agent: "main", key: "agent:main:test:dm:0" });
  await newer.append([user("waits")], { due: true });
  await newer.close();
  const lease = held(await files.lease(ACCOUNT));
  const journal = await files.journal(`${ACCOUNT}/inbox`, lease, names);
  await journal.append(["a", "b"]);
  await journal.close();
  await files.values(`${ACCOUNT}/own/keys`, lease).write("session-1:2@lid/3", "secret");
  await lease.release();
  const picture = await files.blobs.put(Buffer.from("picture"), {
    session: first,
    agent: "main",
    extension: "png",
  });
  const usage =
    '{"at":1794830400000,"token":"t","agent":"main","model":"acme/m","calls":1,"input":1,"output":1,"cacheRead":0,"cacheWrite":0,"reasoning":0,"cost":0.25,"unpriced":0}';
  await files.lines("usage/2026-11").add(usage, "1");
  await spawned(["token", "create", "--name", "mine", "--home", path("one")]);

  const address = await newPostgresAddress();
  const copy = await spawned(["store", "copy", path("one"), address]);
  expect([copy.code, copy.stderr]).toEqual([0, expect.stringContaining("not copied: config.json")]);
  expect((await spawned(["store", "check", path("one"), address])).stdout).toBe(
    "3 sessions with the same bytes, 0 differences\n",
  );

  const store = await openPostgres(address);
  const copied = await store.log.open(first);
  expect(await store.log.find("agent:main:test:dm:0")).toBe(newer.id);
  expect(await store.due.list()).toEqual([newer.id]);
  // Positions and keys are those of the file.
  const again = await copied.append([keyed("again", "k0")], { once: true });
  const original = await files.log.open(first);
  expect(
    (
      await original
        .read({ from: again.before?.position ?? -1 })
        [Symbol.asyncIterator]()
        .next()
    ).value,
  ).toMatchObject({
    message: { content: "hello 0" },
    next: again.before?.next,
  });
  await original.close();
  const bad: number[] = [];
  for await (const _ of copied.read({ onBadLine: ({ position }) => bad.push(position) }));
  expect(bad).toHaveLength(2);
  expect(Buffer.from((await store.blobs.get(picture)) ?? []).toString()).toBe("picture");
  await store.close();

  expect((await spawned(["store", "copy", address, path("two")])).code).toBe(0);
  expect(bytesIn("two")).toEqual(bytesIn("one"));
  expect(readFileSync(path("two/usage/2026-11.jsonl"), "utf8")).toBe(`${usage}\n`);
  expect(readFileSync(picture.replace(path("one"), path("two")), "utf8")).toBe("picture");
  const back = openFiles("two");
  expect(await back.log.find("agent:main:test:dm:0")).toBe(newer.id);
  expect(await back.due.list()).toEqual([newer.id]);
  const owner = held(await back.lease(ACCOUNT));
  const records: string[] = [];
  const inbox = await back.journal(`${ACCOUNT}/inbox`, owner, {
    ...names,
    apply: (record) => records.push(record),
  });
  await inbox.close();
  expect(records).toEqual(["a", "b"]);
  expect(await back.values(`${ACCOUNT}/own/keys`, owner).read("session-1:2@lid/3")).toBe("secret");
  await owner.release();
  expect((await spawned(["token", "list", "--home", path("two")])).stdout).toContain("mine");

  appendFileSync(
    path(`two/agents/main/sessions/${second}.jsonl`),
    '{"role":"user","content":"more","timestamp":1}\n',
  );
  const check = await spawned(["store", "check", path("one"), path("two")]);
  expect(check.code).toBe(1);
  expect(check.stdout).toMatch(new RegExp(`^${second} has \\d+ and \\d+ bytes\n`));

  await openFiles("two").lines("usage/2026-11").add(usage, "2");
  await openFiles("two").blobs.put(Buffer.from("another"), {
    session: second,
    agent: "main",
    extension: "png",
  });
  expect((await spawned(["store", "check", path("two"), address])).stdout.split("\n").slice(1)).toEqual([
    `${second} has the media file ae448ac86c4e8e4dec645729708ef418.png, which is only in the first store`,
    "usage/2026-11 has 2 and 1 lines",
    "2 sessions with the same bytes, 3 differences",
    "",
  ]);
}, 120_000);

/** Copies, and is killed twice: when the target has some sessions, and when it has more. */
async function copyWithKills(from: string, to: string, countCopied: () => Promise<number>): Promise<void> {
  for (const least of [5, 60]) {
    const child = spawn(process.execPath, [main, "store", "copy", from, to], { stdio: "ignore" });
    const ended = once(child, "close");
    while ((await countCopied()) < least && child.exitCode === null) await setTimeout(5);
    child.kill("SIGKILL");
    await ended;
  }
  expect((await spawned(["store", "check", from, to])).code).toBe(1);
  expect((await spawned(["store", "copy", from, to])).code).toBe(0);
  expect((await spawned(["store", "check", from, to])).stdout).toBe(
    "150 sessions with the same bytes, 0 differences\n",
  );
}

test("a copy that is killed continues when it is run again, in both directions", async () => {
  await fill("one", 150);
  const address = await newPostgresAddress();
  const store = await openPostgres(address);
  await copyWithKills(path("one"), address, async () => {
    let found = 0;
    for await (const _ of store.log.list()) found++;
    return found;
  });
  await store.close();
  await copyWithKills(address, path("back"), async () => {
    const folder = path("back/agents/main/sessions");
    return existsSync(folder) ? readdirSync(folder).length : 0;
  });
  expect(bytesIn("back")).toEqual(bytesIn("one"));
}, 120_000);

test("a client continues after its cursor when its store was moved", async () => {
  const key = "agent:main:main";
  const config = '{"model":"demo/echo"}';
  put("one/config.json", config);
  const create = ["token", "create", "--scope", "admin", "--home", path("one")];
  const token = (await spawned(create)).stdout.trim();
  const address = await newPostgresAddress();
  const moves: [home: string, env: Record<string, string>, target: string][] = [
    ["one", {}, address],
    ["two", { DRAGOMAN_STORE: address }, path("three")],
    ["three", {}, path("four")],
  ];
  const shown: string[] = [];
  let after = 0;
  for (const [home, env, target] of moves) {
    put(`${home}/config.json`, config);
    const gateway = await startServe(path(home), [], env);
    const client = await connectRpc({ url: gateway.url, token });
    await client.call("sessions.create", { key });
    await client.send(key, `to ${home}`);
    for await (const event of client.watch(key, { after })) {
      if (event.type !== "message") continue;
      after = event.next;
      shown.push(...told([event.message]));
      if (event.message.role === "assistant") break;
    }
    client.close();
    gateway.child.kill("SIGTERM");
    await gateway.ended;
    const source = env["DRAGOMAN_STORE"] ?? path(home);
    expect((await spawned(["store", "copy", source, target])).code).toBe(0);
  }
  expect(shown).toEqual([
    "session",
    "user: to one",
    "assistant (stop): to one",
    "user: to two",
    "assistant (stop): to two",
    "user: to three",
    "assistant (stop): to three",
  ]);
}, 120_000);

import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { openCells } from "../../log/files/cells.js";
import { TokenStore } from "./token-store.js";

const path = folderForEachTest();

test("a token is known by its hash, and only its owner may read that", async () => {
  const store = new TokenStore(openCells(path("home")), () => 5);
  expect(await store.exists()).toBe(false);
  const { secret, entry } = await store.create("mine", "chat");
  expect(secret).toMatch(/^dgm_[A-Za-z0-9_-]{43}$/);
  expect(JSON.parse(readFileSync(path("home/tokens.json"), "utf8"))).toEqual({
    version: 1,
    tokens: [
      {
        id: entry.id,
        name: "mine",
        scope: "chat",
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        created: 5,
      },
    ],
  });
  expect(statSync(path("home/tokens.json")).mode & 0o777).toBe(0o600);
  expect(await store.verify(secret)).toMatchObject({ id: entry.id, scope: "chat" });
  expect(await store.verify(secret.toLowerCase())).toBeUndefined();
});

test("tokens made at the same time by several processes are all there", async () => {
  const stores = [0, 1, 2, 3].map(() => new TokenStore(openCells(path())));
  await Promise.all(stores.map((store, index) => store.create(`token ${index}`, "read")));
  const names = (await new TokenStore(openCells(path())).list()).map(({ name }) => name);
  expect(names.sort()).toEqual(["token 0", "token 1", "token 2", "token 3"]);
});

test("the use of a token is written down once an hour", async () => {
  let now = 10_000_000;
  const store = new TokenStore(openCells(path()), () => now);
  const { secret } = await store.create("mine", "read");
  const stored = () => readFileSync(path("tokens.json"), "utf8");
  await store.verify(secret);
  const first = stored();
  expect(JSON.parse(first).tokens[0].lastUsed).toBe(10_000_000);
  now += 3_599_999;
  await store.verify(secret);
  expect(stored()).toBe(first);
  now += 1;
  await store.verify(secret);
  expect(JSON.parse(stored()).tokens[0].lastUsed).toBe(13_600_000);
});

test("a use that cannot be written down is not tried again within the hour", async () => {
  let now = 10_000_000;
  const store = new TokenStore(openCells(path()), () => now);
  const { secret } = await store.create("mine", "read");
  const lastUsed = () => JSON.parse(readFileSync(path("tokens.json"), "utf8")).tokens[0].lastUsed;
  renameSync(path("locks"), path("locks-away"));
  writeFileSync(path("locks"), "");
  expect(await store.verify(secret)).toMatchObject({ name: "mine" });
  rmSync(path("locks"));
  now += 3_599_999;
  expect(await store.verify(secret)).toMatchObject({ name: "mine" });
  expect(lastUsed()).toBeUndefined();
  now += 1;
  await store.verify(secret);
  expect(lastUsed()).toBe(13_600_000);
});

test("one that ends with the process is not stored; revoking takes the beginning of an id", async () => {
  const store = new TokenStore(openCells(path()));
  const secret = store.issue("link", "admin");
  expect(await store.verify(secret)).toMatchObject({ scope: "admin" });
  expect(await new TokenStore(openCells(path())).verify(secret)).toBeUndefined();
  const [one, two] = [await store.create("one", "read"), await store.create("two", "read")];
  await expect(store.revoke("0")).rejects.toMatchObject({ code: "gateway/no-token" });
  await expect(store.revoke("")).rejects.toMatchObject({ code: "gateway/no-token" });
  expect((await store.revoke(one.entry.id.toLowerCase())).name).toBe("one");
  expect(await store.isValid(one.entry.id)).toBe(false);
  expect(await store.verify(two.secret)).toMatchObject({ name: "two" });
});

test("a token is good until it expires, and says which agents it may use", async () => {
  let now = 5;
  const store = new TokenStore(openCells(path()), () => now);
  const { secret, entry } = await store.create("mine", "chat", { expires: 10, agents: ["main"] });
  expect(JSON.parse(readFileSync(path("tokens.json"), "utf8")).tokens[0]).toMatchObject({
    expires: 10,
    agents: ["main"],
  });
  now = 9;
  expect(await store.verify(secret)).toMatchObject({ agents: ["main"] });
  expect(await store.isValid(entry.id)).toBe(true);
  now = 10;
  expect(await store.verify(secret)).toBeUndefined();
  expect(await store.isValid(entry.id)).toBe(false);
});

test.each([
  ["{", "gateway/bad-tokens"],
  ['{"version":2,"tokens":[]}', "gateway/bad-tokens"],
  [
    '{"version":1,"tokens":[{"id":"x","name":"n","scope":"root","hash":"00","created":1}]}',
    "gateway/bad-tokens",
  ],
  [
    `{"version":1,"tokens":[{"id":"x","name":"n","scope":"chat","hash":"${"0".repeat(64)}","created":1,"agents":"main"}]}`,
    "gateway/bad-tokens",
  ],
  [
    `{"version":1,"tokens":[{"id":"x","name":"n","scope":"chat","hash":"${"0".repeat(64)}","created":1,"agents":["main",1]}]}`,
    "gateway/bad-tokens",
  ],
])("%s is refused", async (text, code) => {
  writeFileSync(path("tokens.json"), text, { mode: 0o600 });
  await expect(new TokenStore(openCells(path())).list()).rejects.toMatchObject({ code });
});

test("a folder or a pipe in its place is refused, and not waited for", async () => {
  mkdirSync(path("tokens.json"));
  await expect(new TokenStore(openCells(path())).list()).rejects.toMatchObject({
    code: "gateway/bad-tokens",
  });
  execFileSync("mkfifo", [path("pipe")]);
  renameSync(path("tokens.json"), path("folder"));
  renameSync(path("pipe"), path("tokens.json"));
  await expect(new TokenStore(openCells(path())).list()).rejects.toMatchObject({
    code: "gateway/bad-tokens",
  });
});

test("a file that others may write to is not believed", async () => {
  await new TokenStore(openCells(path())).create("mine", "read");
  chmodSync(path("tokens.json"), 0o620);
  await expect(new TokenStore(openCells(path())).list()).rejects.toMatchObject({
    code: "gateway/bad-tokens",
  });
});

test("limits are changed by id, prefix or name, one at a time, and null removes one", async () => {
  const store = new TokenStore(openCells(path()));
  const budget = { dollars: 5, per: "day" as const };
  const { entry } = await store.create("ci", "chat", { budget, requestsPerMinute: 60 });
  const { id } = entry;
  expect(await store.budgetOf(id)).toEqual(budget);
  expect(await store.limit("ci", { requestsPerMinute: 30 })).toMatchObject({ budget, requestsPerMinute: 30 });
  const other = new TokenStore(openCells(path()));
  expect(await other.limit(id.slice(0, 12).toLowerCase(), { budget: null })).toEqual({
    ...entry,
    budget: undefined,
    requestsPerMinute: 30,
  });
  expect(await store.budgetOf(id)).toBeUndefined();
  await store.create("ci", "chat");
  await expect(store.limit("ci", { budget })).rejects.toThrow('several tokens are called "ci"');
  await expect(store.limit("nothing", { budget })).rejects.toThrow('there is no token "nothing"');
});

test.each([
  { budget: { dollars: 0, per: "day" } },
  { budget: { dollars: 5, per: "week" } },
  { budget: 5 },
  { requestsPerMinute: 0 },
])("a file with %j is not read", async (limits) => {
  const { entry } = await new TokenStore(openCells(path())).create("ci", "chat");
  writeFileSync(path("tokens.json"), JSON.stringify({ version: 1, tokens: [{ ...entry, ...limits }] }), {
    mode: 0o600,
  });
  await expect(new TokenStore(openCells(path())).list()).rejects.toThrow("it does not contain tokens");
});

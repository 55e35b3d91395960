import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as baileys from "baileys";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/temporary-folder.js";
import { valuesIn } from "../../../test/support/values-in.js";
import { openAuth } from "./auth.js";

test("keys and credentials are there again, with their bytes", async () => {
  const folder = join(temporaryFolder(), "keys");
  const { state, save } = await openAuth(baileys, valuesIn(folder));
  state.creds.me = { id: "1@s.whatsapp.net" };
  await save();
  const pair = { public: Buffer.from("public"), private: Buffer.from("private") };
  await state.keys.set({ "pre-key": { "1": pair, "2": pair }, session: { "1:2@lid/3": Buffer.from("s") } });
  await state.keys.set({ "pre-key": { "2": null } });

  const again = await openAuth(baileys, valuesIn(folder));
  expect(again.state.creds).toEqual(state.creds);
  expect(await again.state.keys.get("pre-key", ["1", "2", "3"])).toEqual({ "1": pair });
  expect(await again.state.keys.get("session", ["1:2@lid/3"])).toEqual({ "1:2@lid/3": Buffer.from("s") });
  expect(readdirSync(folder).sort()).toEqual([
    "creds.json",
    "pre-key-1.json",
    "session-1%3A2%40lid%2F3.json",
  ]);
  expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([
    0o600, 0o600, 0o600,
  ]);
});

test("what is written last is what stays, and is read at once", async () => {
  const { state } = await openAuth(baileys, valuesIn());
  const writes = ["one", "two", "three"].map((text) => state.keys.set({ session: { a: Buffer.from(text) } }));
  expect(await state.keys.get("session", ["a"])).toEqual({ a: Buffer.from("three") });
  await Promise.all(writes);
});

test("damaged credentials are not taken for none: the device would be lost", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "creds.json"), '{"noiseKey":');
  await expect(openAuth(baileys, valuesIn(folder))).rejects.toMatchObject({ code: "channel/bad-settings" });
});

test("a damaged key is one that is gone", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "session-a.json"), "");
  const { state } = await openAuth(baileys, valuesIn(folder));
  expect(await state.keys.get("session", ["a"])).toEqual({});
});

test("after the end nothing is written", async () => {
  const folder = temporaryFolder();
  const { state, save, close } = await openAuth(baileys, valuesIn(folder));
  const written = state.keys.set({ session: { a: Buffer.from("a") } });
  await close();
  expect(readdirSync(folder)).toEqual(["session-a.json"]);
  await Promise.all([written, save(), state.keys.set({ session: { b: Buffer.from("b") } })]);
  expect(readdirSync(folder)).toEqual(["session-a.json"]);
});

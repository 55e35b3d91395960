import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { folderForEachTest } from "../../../test/support/temporary-folder.js";
import { openHome } from "./home.js";
import type { Recovery } from "./torn.js";

const path = folderForEachTest();

const header = '{"role":"session","id":"S","agent":"main","timestamp":1}\n';
const first = '{"role":"user","content":"first","timestamp":2,"id":"m1"}\n';
const second = '{"role":"user","content":"zwei ü","timestamp":3,"id":"m2"}\n';

test("a line torn at any byte is set aside, told, and the session goes on", async () => {
  const whole = Buffer.from(header + first + second);
  const start = Buffer.byteLength(header + first);
  let torn = 0;
  for (let length = start + 1; length < whole.length; length++) {
    const home = path(`${length}`);
    const folder = path(`${length}`, "agents", "main", "sessions");
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/S.jsonl`, whole.subarray(0, length));
    const told: Recovery[] = [];
    const log = openHome(home, { onRecovery: (recovery) => told.push(recovery) });
    const session = await log.open("S");
    expect(readFileSync(`${folder}/S.jsonl`, "utf8")).toBe(header + first);
    await session.append([{ role: "user", content: "third", timestamp: 4, id: "m3" }]);
    await session.close();
    expect(readFileSync(`${folder}/S.jsonl`, "utf8")).toBe(
      `${header}${first}{"role":"user","content":"third","timestamp":4,"id":"m3"}\n`,
    );
    const [savedAs = "none"] = readdirSync(folder).filter((name) => name !== "S.jsonl");
    expect(savedAs).toMatch(/^S\.torn-[0-9A-Z]{26}$/);
    expect(readFileSync(`${folder}/${savedAs}`)).toEqual(whole.subarray(start, length));
    expect(told).toEqual([
      {
        session: "S",
        path: `${folder}/S.jsonl`,
        position: start,
        bytes: length - start,
        savedAs: `${folder}/${savedAs}`,
      },
    ]);
    torn += 1;
  }
  expect(torn).toBe(Buffer.byteLength(second) - 1);
});

test("a line torn while the session is open is set aside by the next append, and never read", async () => {
  const told: Recovery[] = [];
  const log = openHome(path(), { onRecovery: (recovery) => told.push(recovery) });
  const session = await log.create({ agent: "main" });
  await session.append([{ role: "user", content: "a", timestamp: 1 }]);
  const end = await session.end();
  const file = path("agents", "main", "sessions", `${session.id}.jsonl`);
  writeFileSync(file, '{"role":"user","content":"half', { flag: "a" });
  expect(await session.end()).toBe(end);
  expect((await session.last(1))[0]?.next).toBe(end);
  await session.append([{ role: "user", content: "b", timestamp: 1 }], { expect: end });
  expect(told.map(({ bytes }) => bytes)).toEqual([30]);
  await session.close();
});

test("a file cut off at a line's end has nothing torn", async () => {
  mkdirSync(path("agents", "main", "sessions"), { recursive: true });
  const file = path("agents", "main", "sessions", "S.jsonl");
  writeFileSync(file, header + first + second);
  truncateSync(file, header.length + first.length);
  const told: Recovery[] = [];
  const session = await openHome(path(), { onRecovery: (recovery) => told.push(recovery) }).open("S");
  expect((await session.last(1)).map(({ message }) => message.id)).toEqual(["m1"]);
  expect(told).toEqual([]);
  await session.close();
});

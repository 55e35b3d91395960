import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { user } from "../../test/fakes/watching.js";
import { folderForEachTest } from "../../test/support/temporary-folder.js";
import { leftoversIn } from "../log/files/aside.js";
import { openHome } from "../log/files/home.js";
import { sessionsFolder } from "../log/files/session-files.js";

const KEY = "agent:main:rpc:dm:k1";
const home = folderForEachTest();

/** Another process that makes a session of 600 messages, and is killed at a moment such as `after rename 1`. */
async function fill(how: "create" | "openOrCreate", dieAt?: string): Promise<string> {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const code = `
    import { syncBuiltinESMExports } from "node:module";
    import fs from "node:fs/promises";
    const counts = new Map();
    const reach = (moment) => {
      if (moment === ${JSON.stringify(dieAt ?? "never")}) process.kill(process.pid, "SIGKILL");
    };
    const mortal = (name, change) => async (...given) => {
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      reach(\`before \${name} \${count}\`);
      const result = await change(...given);
      reach(\`after \${name} \${count}\`);
      return result;
    };
    for (const name of ["open", "rename", "mkdir"]) fs[name] = mortal(name, fs[name]);
    syncBuiltinESMExports();
    const { openHome } = await import(${url("../log/files/home.ts")});
    const { fillWith } = await import(${url("./copy.ts")});
    const messages = Array.from({ length: 600 }, (_, at) => ({ role: "user", content: "n" + at, timestamp: at }));
    const log = openHome(${JSON.stringify(home())});
    const session = await log.${how}({ agent: "main", key: "${KEY}" }, async (target) => {
      target.append = mortal("append", target.append.bind(target));
      await fillWith(messages)(target);
    });
    await session.close();
  `;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  const [status, signal] = await once(child, "close");
  return `${output}${signal ?? status}`;
}

/** How many messages each session has, and to which of them the key leads. */
async function found() {
  const log = openHome(home());
  const sessions = new Map<string, number>();
  for await (const { id } of log.list()) {
    const session = await log.open(id);
    let messages = -1;
    for await (const _ of session.read()) messages += 1;
    sessions.set(id, messages);
    await session.close();
  }
  const holder = await log.find(KEY);
  return { sizes: [...sessions.values()], holder: sessions.get(holder ?? "") };
}

const OLD = { sizes: [1], holder: 1 };
const BOTH = { sizes: [1, 600], holder: 600 };

/** The first rename is that of the key's pointer, the second that of the session. */
test.each([
  ["before open 1", OLD],
  ["after open 2", OLD],
  ["before append 1", OLD],
  ["after append 2", OLD],
  ["after append 3", OLD],
  ["before rename 1", OLD],
  ["after rename 1", OLD],
  ["after rename 2", BOTH],
])(
  "killed %s: the key leads to the old session or to all of the new one",
  async (dieAt, expected) => {
    const log = openHome(home());
    const old = await log.create({ agent: "main", key: KEY });
    await old.append([user("before")]);
    await old.close();
    expect(await fill("create", dieAt)).toBe("SIGKILL");
    expect(await found()).toEqual(expected);
  },
  30_000,
);

test.each(["after append 2", "after rename 1", "after rename 2", "after rename 3"])(
  "killed %s: asking again with the key gives one whole session",
  async (dieAt) => {
    expect(await fill("openOrCreate", dieAt)).toBe("SIGKILL");
    expect(await fill("openOrCreate")).toBe("0");
    expect(await found()).toEqual({ sizes: [600], holder: 600 });
  },
  30_000,
);

test("what a killed process has left can be told from what others write", async () => {
  expect(await fill("create", "after append 2")).toBe("SIGKILL");
  const folder = sessionsFolder(home(), "main");
  const [left, ...more] = await leftoversIn(folder);
  expect(left).toMatch(/^~[0-9A-Z]{26}\.\d+\.\d+\.[0-9a-f]{8}$/);
  expect(more).toEqual([]);
  let during: string[] = [];
  const session = await openHome(home()).create({ agent: "main" }, async () => {
    during = await leftoversIn(folder);
  });
  await session.close();
  expect(during).toEqual([left]);
});

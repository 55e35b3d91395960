import { execFileSync, spawn } from "node:child_process";
import { expect, onTestFinished, test } from "vitest";
import { fateOf, type Holder, parseHolder, thisProcess } from "./holder.js";

const me = thisProcess();

/** The number of a process that has ended. */
function ended(): number {
  return Number(execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }));
}

test("a process recognises itself as another would", () => {
  expect(fateOf({ ...me, nonce: "another" }, me)).toBe("alive");
  expect(parseHolder(JSON.stringify(me))).toEqual(me);
  expect(me.pid).toBe(process.pid);
});

test("a process that has ended is dead", () => {
  expect(fateOf({ ...me, pid: ended() }, me)).toBe("dead");
});

test.skipIf(process.platform !== "linux")(
  "a number that was given to another process is no sign of life",
  () => {
    expect(fateOf({ ...me, started: "1" }, me)).toBe("dead");
    // A living process, under whose number a lock says that it was started when this one was.
    const another = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
    onTestFinished(() => void another.kill());
    expect(fateOf({ ...me, pid: another.pid ?? 0 }, me)).toBe("dead");
  },
);

test("without start times a living number is a living holder", () => {
  const { started: _, ...unknownStart }: Holder = me;
  expect(fateOf(unknownStart, me)).toBe("alive");
});

test.each<[string, Partial<Holder>, Holder, string]>([
  ["another computer", { host: "elsewhere" }, me, "unknown"],
  ["another container", { pids: "pid:[1]" }, { ...me, pids: "pid:[2]" }, "unknown"],
  ["this computer before it was started again", { boot: "a" }, { ...me, boot: "b" }, "dead"],
])("%s", (_, changes, judge, fate) => {
  expect(fateOf({ ...me, ...changes }, judge)).toBe(fate);
});

test.each(["", "{", "null", "[]", '{"pid":"1","host":"a","nonce":"b"}', '{"pid":1,"host":"a"}'])(
  "%j is no holder",
  (text) => {
    expect(parseHolder(text)).toBeUndefined();
  },
);

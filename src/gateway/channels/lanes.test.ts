import { expect, test } from "vitest";
import { Lanes } from "./lanes.js";

function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test("one thing after another in a lane, and other lanes do not wait", async () => {
  const lanes = new Lanes();
  const done: string[] = [];
  const slow = gate();
  const first = lanes.run("a", async () => {
    await slow.opened;
    done.push("a1");
  });
  const second = lanes.run("a", async () => void done.push("a2"));
  await lanes.run("b", async () => void done.push("b1"));
  expect(done).toEqual(["b1"]);
  expect([lanes.busy("a"), lanes.busy("c")]).toEqual([true, false]);
  slow.open();
  await Promise.all([first, second]);
  await lanes.idle();
  expect(done).toEqual(["b1", "a1", "a2"]);
  expect(lanes.busy("a")).toBe(false);
});

test("a failure is told to whoever asked, and ends nothing else", async () => {
  const lanes = new Lanes();
  const failing = lanes.run("a", () => Promise.reject(new Error("no")));
  const next = lanes.run("a", async () => "yes");
  await expect(failing).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { world } from "./world.js";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test("a file is read as text, and a missing one is undefined", async () => {
  expect(await world.readFile(path("./world.ts"))).toContain("export interface World");
  expect(await world.readFile(path("./missing"))).toBeUndefined();
});

test("what cannot be read is an error that names it", async () => {
  await expect(world.readFile(path("./hosts"))).rejects.toMatchObject({
    code: "config/invalid",
    message: expect.stringContaining("hosts cannot be read: EISDIR"),
  });
});

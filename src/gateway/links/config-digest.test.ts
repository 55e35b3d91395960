import { expect, test } from "vitest";
import { differingSections, digestConfig } from "./config-digest.js";

const key = Buffer.from("a key of the cluster");
const digest = (config: Parameters<typeof digestConfig>[0]) => ({ config: digestConfig(config, key) });

test("configurations differ by section, whatever the order of their keys and wherever they listen", () => {
  const one = digest({
    model: "demo/echo",
    gateway: { port: 1 },
    store: "postgres://one@db/x",
    agents: { a: { model: "x/y", systemPrompt: "p" } },
  });
  const same = digest({
    agents: { a: { systemPrompt: "p", model: "x/y" } },
    gateway: { port: 2 },
    model: "demo/echo",
  });
  expect(differingSections(one, same)).toEqual([]);
  const other = digest({ model: "demo/script", agents: { a: { model: "x/y" } }, aliases: { b: "x/y" } });
  expect(differingSections(one, other)).toEqual(["agents", "aliases", "model"]);
});

test("a digest depends on the key, so that secrets in a section cannot be guessed from it", () => {
  const config = { model: "demo/echo" };
  expect(digestConfig(config, key)).toEqual({ model: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(digestConfig(config, Buffer.from("another"))).not.toEqual(digestConfig(config, key));
});

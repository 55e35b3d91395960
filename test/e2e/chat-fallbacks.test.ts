import { beforeEach, expect, test } from "vitest";
import { workspace } from "../support/cli/run-cli.js";

const { path, put, dragoman } = workspace();

const chat = (...args: string[]) =>
  dragoman(["chat", "-p", ...args, "hello"], "", { DRAGOMAN_MODEL: "", DRAGOMAN_HOME: path("home") });

beforeEach(() => {
  const config = {
    // Nothing listens on this port.
    providers: { gone: { baseUrl: "http://127.0.0.1:9", maxRetries: 0 } },
    aliases: { smart: { models: ["gone/m", "demo/echo"] } },
    model: "smart",
  };
  put("home/config.json", JSON.stringify(config));
});

test("the next model of a list answers if the first cannot be reached, and is named", async () => {
  const { code, stdout, stderr } = await chat();
  expect([code, stdout]).toEqual([0, "hello\n"]);
  expect(stderr).toContain("demo/echo answered instead of gone/m (unavailable)\n");
});

test("--model accepts a list", async () => {
  expect(await chat("--model", "smart")).toMatchObject({ code: 0, stdout: "hello\n" });
});

test("--model accepts a model of a provider", async () => {
  expect(await chat("--model", "gone/m")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("the provider cannot be reached"),
  });
});

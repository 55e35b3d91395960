import { beforeAll, expect, test } from "vitest";
import { requireBuild, workspace } from "../../support/cli/run-cli.js";
import { startServe } from "../../support/cli/serve-process.js";
import { OpenClawClient, textIn } from "./openclaw-client.js";

beforeAll(requireBuild);

const { path, put, dragoman } = workspace();
const KEY = "agent:main:main";

test("after kill -9 mid-answer the client connects again and shows what is stored", async () => {
  put("home/config.json", JSON.stringify({ agents: { main: { model: "demo/script" } } }));
  const { stdout } = await dragoman(["token", "create", "--scope", "admin", "--home", path("home")]);
  const server = await startServe(path("home"));
  const client = await OpenClawClient.connect({ url: server.url, token: stdout.trim() });
  await client.open(KEY);
  await client.send(KEY, "say: First half.\nstall", "k1");
  await client.until(() => client.streamed("k1") === "First half.");
  server.child.kill("SIGKILL");
  await server.ended;
  await startServe(path("home"), ["--port", new URL(server.url).port]);
  while (client.hellos < 2) await client.changed();
  await expect
    .poll(async () => {
      await client.open(KEY);
      return client.shown.at(-1);
    })
    .toMatch(/^assistant: First/);
  const [, kept = ""] = client.shown;
  expect("assistant: First half.").toContain(kept);
  // The same message is not answered twice.
  expect(await client.send(KEY, "say: First half.\nstall", "k1")).toMatchObject({ runId: "k1" });
  await client.send(KEY, "say: Whole.", "k2");
  expect(textIn(await client.ended("k2"))).toBe("Whole.");
  expect(client.shown).toEqual([
    "user: say: First half.\nstall",
    kept,
    "user: say: Whole.",
    "assistant: Whole.",
  ]);
  const { messages } = await client.open(KEY);
  expect(messages).toHaveLength(4);
});

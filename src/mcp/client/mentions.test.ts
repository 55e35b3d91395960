import { afterEach, expect, test } from "vitest";
import { FakeMcpHttp } from "../../../test/fakes/mcp/fake-http-server.js";
import { expandText } from "./mentions.js";
import { McpServers } from "./servers.js";

const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function expand(text: string) {
  const http = new FakeMcpHttp({
    versions: ["2026-07-28"],
    resources: { "note://1": { text: "one" }, "note://p": { blob: "aGk=", mimeType: "image/png" } },
    prompts: {
      greet: {
        arguments: [{ name: "who" }, { name: "how" }],
        messages: [
          { role: "user", content: { type: "text", text: "Greet {who} {how}" } },
          { role: "assistant", content: { type: "text", text: "Sure." } },
        ],
      },
    },
  });
  const url = await http.listen();
  closing.push(() => http.close());
  const servers = new McpServers({
    servers: { docs: { url } },
    agents: {},
    home: "/tmp",
    env: () => undefined,
    fetch: (to, init) => fetch(to, init),
  });
  closing.push(() => servers.close());
  return expandText(servers, "main", text);
}

test("a mention adds the resource after the text, once", async () => {
  const text = "Compare @docs:note://1 (see @docs:note://1) with @docs:note://p.";
  expect(await expand(text)).toEqual([
    { type: "text", text },
    { type: "text", text: "[resource note://1]\none" },
    { type: "image", data: "aGk=", mimeType: "image/png", name: "note://p" },
  ]);
});

test("a resource that cannot be read is stated", async () => {
  expect(await expand("@docs:note://9")).toEqual([
    { type: "text", text: "@docs:note://9" },
    {
      type: "text",
      text: "[@docs:note://9 cannot be read: the server answered with error -32602: no such resource]",
    },
  ]);
});

test.each(["mail ann@docs:x", "@other:note://1", "/other:greet", "@docs:", "say /docs:greet"])(
  "%j names nothing",
  async (text) => {
    expect(await expand(text)).toBeUndefined();
  },
);

test.each([
  ["/docs:greet Ann very warmly", "Greet Ann very warmly"],
  ['/docs:greet how="very warmly" who=Bob', "Greet Bob very warmly"],
])("%j is the prompt with its arguments", async (text, expected) => {
  expect(await expand(text)).toEqual([
    { type: "text", text: expected },
    { type: "text", text: "[assistant]" },
    { type: "text", text: "Sure." },
  ]);
});

test("a prompt that does not exist is an error", async () => {
  await expect(expand("/docs:missing")).rejects.toThrow("no such prompt");
});

import { realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { AcpClient, linesOf } from "../../fakes/acp-client.js";
import { FakeMcpHttp } from "../../fakes/mcp/fake-http-server.js";
import { echoProgram } from "../../fakes/mcp/stdio-echo.js";
import { isAlive } from "../../support/process-alive.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

let home: string;
let cwd: string;

beforeEach(() => {
  home = temporaryFolder();
  cwd = realpathSync(temporaryFolder());
  writeFileSync(join(home, "config.json"), '{"model":"demo/script"}');
});

const echo = {
  name: "My echo",
  command: process.execPath,
  args: ["-e", echoProgram()],
  env: [{ name: "ECHO_SECRET", value: "\u0024{HOME}" }],
};

/** The text of a call's result. */
async function callOf(client: AcpClient, id: string, call: string): Promise<string> {
  await client.prompt(id, `call: ${call}\n---\nsay: ok`);
  const ended = client.updates.findLast(({ status }) => status === "completed" || status === "failed");
  const [first] = JSON.parse(JSON.stringify(ended?.["content"] ?? []));
  return first?.content.text;
}

test("the editor's programs are servers of its session only, and end with it", async () => {
  const client = await AcpClient.open({ home });
  const id = await client.start(cwd, [echo]);
  expect(await callOf(client, id, 'My-echo__echo {"text":"hi"}')).toBe("hi");
  // What looks like a variable is meant literally.
  expect(await callOf(client, id, "My-echo__secret {}")).toBe("\u0024{HOME} none");
  const pid = Number(await callOf(client, id, "My-echo__pid {}"));
  expect(isAlive(pid)).toBe(true);
  expect(client.requests[0]?.params["toolCall"]).toMatchObject({ name: "My-echo__echo" });

  const other = await client.start(cwd);
  expect(await callOf(client, other, "My-echo__echo {}")).toContain("My-echo__echo");

  await client.request("session/close", { sessionId: id });
  await client.request("session/resume", { sessionId: id, cwd, mcpServers: [] });
  expect(await callOf(client, id, "My-echo__pid {}")).toContain("My-echo__pid");
  expect(isAlive(pid)).toBe(false);
});

const questions = {
  ask: {
    run: async ({
      elicit,
    }: {
      elicit(params: Record<string, unknown>): Promise<Record<string, unknown>>;
    }) => {
      const answer = await elicit({
        message: "Which colour?",
        requestedSchema: {
          type: "object",
          properties: { colour: { type: "string", enum: ["red", "green"] } },
          required: ["colour"],
        },
      });
      return { content: [{ type: "text", text: JSON.stringify(answer) }] };
    },
  },
};

async function questioning(): Promise<object> {
  const http = new FakeMcpHttp({ versions: ["2026-07-28"], tools: questions });
  const url = await http.listen();
  onTestFinished(() => http.close());
  return { type: "http", name: "shop", url, headers: [] };
}

test("a server's question is a form for a client that declares forms", async () => {
  const client = await AcpClient.open({ home, capabilities: { elicitation: { form: {} } } });
  client.elicitation = { action: "accept", content: { colour: "green" } };
  const id = await client.start(cwd, [{ ...(await questioning()) }]);
  expect(await callOf(client, id, "shop__ask {}")).toBe('{"action":"accept","content":{"colour":"green"}}');
  expect(client.questions).toEqual([
    {
      sessionId: id,
      toolCallId: "call_1_0",
      message: "shop asks: Which colour?",
      mode: "form",
      requestedSchema: {
        type: "object",
        properties: {
          colour: {
            type: "string",
            title: "colour",
            oneOf: [
              { const: "red", title: "red" },
              { const: "green", title: "green" },
            ],
          },
        },
        required: ["colour"],
      },
    },
  ]);
});

test("for other clients it is a permission request with the question's text and choices", async () => {
  const client = await AcpClient.open({ home });
  client.permission = undefined;
  const id = await client.start(cwd, [{ ...(await questioning()) }]);
  const called = callOf(client, id, "shop__ask {}");
  await client.until(() => client.requests.length === 1);
  client.respond(client.requests[0]?.id, { outcome: { outcome: "selected", optionId: "once" } });
  await client.until(() => client.requests.length === 2);
  expect(client.requests[1]?.params).toMatchObject({
    toolCall: {
      toolCallId: "call_1_0",
      title: "shop asks: Which colour?",
      content: [{ type: "content", content: { type: "text", text: "shop asks: Which colour?\n- colour" } }],
    },
    options: [
      { optionId: "accept-0", name: "red", kind: "allow_once" },
      { optionId: "accept-1", name: "green", kind: "allow_once" },
      { optionId: "never", name: "Decline", kind: "reject_once" },
    ],
  });
  client.respond(client.requests[1]?.id, { outcome: { outcome: "selected", optionId: "accept-1" } });
  expect(await called).toBe('{"action":"accept","content":{"colour":"green"}}');
  expect(linesOf(client.updates).at(-1)).toBe("agent ok");
});

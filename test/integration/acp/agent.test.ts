import { readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { AcpClient, linesOf } from "../../fakes/acp-client.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

let home: string;
let cwd: string;

beforeEach(() => {
  home = temporaryFolder();
  cwd = realpathSync(temporaryFolder());
  writeFileSync(join(home, "config.json"), '{"model":"demo/script"}');
});

const open = (more: { capabilities?: Record<string, unknown> } = {}) => AcpClient.open({ home, ...more });

describe("a prompt", () => {
  test("streams thoughts, text and tool calls, and asks for permission", async () => {
    const client = await open();
    const id = await client.start(cwd);
    const script = 'think: hmm\nsay: Hello there\ncall: exec {"command":"echo $((6*7))"}\n---\nsay: Done.';
    expect(await client.prompt(id, script)).toEqual({ stopReason: "end_turn" });
    expect(linesOf(client.updates)).toEqual([
      "thought hmm",
      "agent Hello there",
      "call exec: echo $((6*7))",
      "call_1_0 in_progress",
      "call_1_0 completed",
      "agent Done.",
    ]);
    expect(client.updates.find(({ status }) => status === "completed")).toEqual({
      sessionUpdate: "tool_call_update",
      toolCallId: "call_1_0",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "```\n42\n```" } }],
      rawOutput: { exitCode: 0, signal: null },
    });
    expect(client.requests.map(({ params }) => params)).toEqual([
      {
        sessionId: id,
        toolCall: {
          toolCallId: "call_1_0",
          title: "exec: echo $((6*7))",
          name: "exec",
          kind: "execute",
          rawInput: { command: "echo $((6*7))" },
        },
        options: [
          { optionId: "once", name: "Allow once", kind: "allow_once" },
          { optionId: "session", name: "Allow for this session", kind: "allow_always" },
          { optionId: "never", name: "Deny", kind: "reject_once" },
        ],
      },
    ]);
  });

  test("a denied tool fails, and the agent continues", async () => {
    const client = await open();
    client.permission = "never";
    const id = await client.start(cwd);
    const script = 'call: exec {"command":"touch x"}\n---\nsay: Sorry.';
    expect(await client.prompt(id, script)).toEqual({ stopReason: "end_turn" });
    expect(linesOf(client.updates).slice(-2)).toEqual(["call_1_0 failed", "agent Sorry."]);
  });

  test("shows changes of files as diffs", async () => {
    writeFileSync(join(cwd, "a.txt"), "one\ntwo\nthree\n");
    writeFileSync(join(cwd, "b.txt"), "old\n");
    const client = await open();
    const id = await client.start(cwd);
    const edit = { file_path: "a.txt", edits: [{ old_string: "two", new_string: "TWO" }] };
    const steps = [
      `call: edit ${JSON.stringify(edit)}`,
      `call: write ${JSON.stringify({ file_path: "b.txt", content: "new\n" })}`,
      `call: write ${JSON.stringify({ file_path: "c.txt", content: "first\n" })}`,
    ];
    await client.prompt(id, [...steps, "---", "say: ok"].join("\n"));
    const ended = client.updates.filter(({ status }) => status === "completed");
    expect(ended.map(({ content }) => content)).toEqual([
      [
        {
          type: "diff",
          path: join(cwd, "a.txt"),
          oldText: "one\ntwo\nthree\n",
          newText: "one\nTWO\nthree\n",
        },
      ],
      [{ type: "diff", path: join(cwd, "b.txt"), oldText: "old\n", newText: "new\n" }],
      [{ type: "diff", path: join(cwd, "c.txt"), oldText: null, newText: "first\n" }],
    ]);
    expect(client.requests[0]?.params["toolCall"]).toMatchObject({
      content: [{ type: "diff", path: join(cwd, "a.txt"), oldText: "two", newText: "TWO" }],
      locations: [{ path: join(cwd, "a.txt") }],
    });
    expect(readFileSync(join(cwd, "c.txt"), "utf8")).toBe("first\n");
  });

  test("that is cancelled is answered, and so are those that wait behind it, without a trace", async () => {
    const client = await open();
    const id = await client.start(cwd);
    const first = client.prompt(id, "say: half\nstall");
    const second = client.prompt(id, "say: never");
    await client.until(() => linesOf(client.updates).includes("agent half"));
    client.notify("session/cancel", { sessionId: id });
    expect(await Promise.all([first, second])).toEqual([
      { stopReason: "cancelled" },
      { stopReason: "cancelled" },
    ]);
    expect(await client.prompt(id, "say: again")).toEqual({ stopReason: "end_turn" });
    const other = await open();
    await other.request("session/load", { sessionId: id, cwd, mcpServers: [] });
    expect(linesOf(other.updates)).toEqual([
      "user say: half\nstall",
      "agent half",
      "user say: again",
      "agent again",
    ]);
  });

  test("prompts during a run are answered in order", async () => {
    const client = await open();
    const id = await client.start(cwd);
    const ended: string[] = [];
    const ask = async (text: string) => {
      await client.prompt(id, `say: ${text}`);
      ended.push(text);
    };
    await Promise.all(["one", "two", "three"].map(ask));
    expect(ended).toEqual(["one", "two", "three"]);
    expect(linesOf(client.updates)).toEqual(["agent one", "agent two", "agent three"]);
  });

  test.each([
    ["fail: 400", "-32603 HTTP 400: as the script says"],
    ["say: half\ncut", "-32603 the stream ended before its terminal event"],
  ])("a failure is the answer: %j", async (script, message) => {
    const client = await open();
    const id = await client.start(cwd);
    await expect(client.prompt(id, script)).rejects.toThrow(message);
    expect(await client.prompt(id, "say: fine")).toEqual({ stopReason: "end_turn" });
  });

  test("an answer that is too long states that", async () => {
    const client = await open();
    const id = await client.start(cwd);
    expect(await client.prompt(id, "say: half\nlength")).toEqual({ stopReason: "max_tokens" });
  });

  test("may contain links, files and images, which a replay shows as they were", async () => {
    const client = await open();
    const id = await client.start(cwd);
    const prompt = [
      { type: "text", text: "say: ok" },
      { type: "resource_link", uri: `file://${cwd}/a.txt`, name: "a.txt", mimeType: "text/plain" },
      { type: "resource", resource: { uri: `file://${cwd}/b.txt`, text: "B" } },
      { type: "resource", resource: { uri: "file:///c.bin", blob: "AAEC", mimeType: "application/zip" } },
      { type: "image", data: "aGk=", mimeType: "image/png" },
    ];
    // The script has more lines than the model knows.
    await client.request("session/prompt", { sessionId: id, prompt }).catch(() => undefined);
    const other = await open();
    await other.request("session/load", { sessionId: id, cwd, mcpServers: [] });
    const shown = other.updates.filter(({ sessionUpdate }) => sessionUpdate === "user_message_chunk");
    expect(shown.map(({ content }) => content)).toEqual(prompt);
  });
});

describe("a session", () => {
  test("without a prompt leaves no file, and cannot be loaded", async () => {
    const client = await open();
    const id = await client.start(cwd);
    const other = await open();
    expect(await other.request("session/list", {})).toEqual({ sessions: [] });
    await expect(other.request("session/load", { sessionId: id, cwd, mcpServers: [] })).rejects.toThrow(
      "-32002",
    );
  });

  test("is replayed as the client saw it, from any process", async () => {
    const client = await open();
    const id = await client.start(cwd);
    writeFileSync(join(cwd, "a.txt"), "text\n");
    const script =
      'think: hmm\nsay: Look\ncall: read {"file_path":"a.txt"}\n---\ncall: read {"file_path":"none"}\n---\nsay: ok';
    await client.prompt(id, script);
    const seen = linesOf(client.updates).filter((line) => !line.endsWith("in_progress"));
    const other = await open();
    await other.request("session/load", { sessionId: id, cwd, mcpServers: [] });
    expect(linesOf(other.updates)).toEqual([`user ${script}`, ...seen]);
    const ids = new Set(client.updates.map(({ messageId }) => messageId));
    const replayed = other.updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith("agent_"));
    expect(replayed.every(({ messageId }) => ids.has(messageId))).toBe(true);
    const third = await open();
    await third.request("session/resume", { sessionId: id, cwd, mcpServers: [] });
    expect(third.updates).toEqual([]);
    expect(await third.prompt(id, "say: more")).toEqual({ stopReason: "end_turn" });
    expect(linesOf(third.updates)).toEqual(["agent more"]);
  });

  test("is listed with its folder and title, by folder on request", async () => {
    const client = await open();
    const id = await client.start(cwd);
    const elsewhere = await client.start(realpathSync(temporaryFolder()));
    await client.prompt(id, "say: one");
    await client.prompt(elsewhere, "say: two");
    expect(await client.request("session/list", { cwd })).toEqual({
      sessions: [{ sessionId: id, cwd, title: "say: one", updatedAt: expect.stringMatching(/^20.*Z$/) }],
    });
    const { sessions } = await client.request("session/list", { cwd: null });
    expect(sessions).toMatchObject([{ sessionId: elsewhere }, { sessionId: id }]);
  });

  test("reports its title once it has one", async () => {
    const client = await open();
    const id = await client.start(cwd);
    await client.prompt(id, "say: one");
    const isTitle = ({ sessionUpdate }: { sessionUpdate: string }) => sessionUpdate === "session_info_update";
    await client.until(() => client.updates.some(isTitle));
    expect(client.updates.find(isTitle)).toMatchObject({ title: "say: one" });
  });

  test("has a model that the client can choose, before and after the first prompt", async () => {
    const client = await open();
    const id = await client.start(cwd);
    const choose = (value: string) =>
      client.request("session/set_config_option", { sessionId: id, configId: "model", value });
    expect(await choose("demo/echo")).toMatchObject({
      configOptions: [{ id: "model", currentValue: "demo/echo" }],
    });
    await client.prompt(id, "say: hi");
    expect(linesOf(client.updates)).toEqual(["agent say: hi"]);
    await choose("demo/script");
    await client.prompt(id, "say: hi");
    expect(linesOf(client.updates).at(-1)).toBe("agent hi");
    await expect(choose("demo/none")).rejects.toThrow('-32602 there is no model "demo/none"');
    const other = await open();
    expect(await other.request("session/resume", { sessionId: id, cwd, mcpServers: [] })).toMatchObject({
      configOptions: [{ currentValue: "demo/script" }],
    });
  });

  test("reports how full its context is, if the model's size is known", async () => {
    const models = { "demo/script": { contextWindow: 1000 } };
    writeFileSync(join(home, "config.json"), JSON.stringify({ model: "demo/script", models }));
    const client = await open();
    const id = await client.start(cwd);
    await client.prompt(id, "say: one");
    const reported = client.updates.filter(({ sessionUpdate }) => sessionUpdate === "usage_update");
    expect(reported).toEqual([{ sessionUpdate: "usage_update", used: expect.any(Number), size: 1000 }]);
    const other = await open();
    await other.request("session/load", { sessionId: id, cwd, mcpServers: [] });
    expect(other.updates.at(-1)).toEqual(reported[0]);
  });

  test("keeps its folder, and names what the client does not get", async () => {
    const client = await open({ capabilities: { session: { notices: {} } } });
    const id = await client.start(cwd);
    await client.prompt(id, "say: hi");
    const elsewhere = realpathSync(temporaryFolder());
    const server = { type: "sse", name: "files", url: "http://127.0.0.1:9/sse", headers: [] };
    const other = await open({ capabilities: { session: { notices: {} } } });
    await other.request("session/resume", { sessionId: id, cwd: elsewhere, mcpServers: [server] });
    await other.until(() => other.updates.length === 2);
    expect(other.updates.map(({ title }) => title)).toEqual([
      `This session works in ${cwd}`,
      "Dragoman cannot connect to these MCP servers of the editor: files",
    ]);
    const plain = await open();
    await plain.request("session/resume", { sessionId: id, cwd, mcpServers: [server] });
    await plain.prompt(id, "say: hi");
    expect(linesOf(plain.updates)).toEqual([
      "agent Dragoman cannot connect to these MCP servers of the editor: files. It supports programs and streamable HTTP.\n\n",
      "agent hi",
    ]);
  });

  test("whose folder is gone fails with the reason", async () => {
    const client = await open();
    const id = await client.start(cwd);
    await client.prompt(id, "say: hi");
    rmSync(cwd, { recursive: true });
    await expect(client.prompt(id, "say: hi")).rejects.toThrow(
      `the session's workspace "${cwd}" does not exist`,
    );
    await expect(client.start(cwd)).rejects.toThrow("-32602");
    await expect(client.start("relative")).rejects.toThrow("-32602 cwd must be an absolute path");
  });

  test("that is closed is not open any more, and its prompt is cancelled", async () => {
    const client = await open();
    const id = await client.start(cwd);
    const prompt = client.prompt(id, "say: half\nstall");
    await client.until(() => linesOf(client.updates).includes("agent half"));
    expect(await client.request("session/close", { sessionId: id })).toEqual({});
    expect(await prompt).toEqual({ stopReason: "cancelled" });
    await expect(client.prompt(id, "say: hi")).rejects.toThrow("-32002");
  });
});

test("wrong frames are answered, and the connection continues", async () => {
  const client = await open();
  await expect(client.request("session/none", {})).rejects.toThrow("-32601 Method not found: session/none");
  await expect(client.request("session/new", { cwd: 5 })).rejects.toThrow("-32602 Invalid params");
  await expect(
    client.request("session/prompt", { sessionId: "x", prompt: [{ type: "smell" }] }),
  ).rejects.toThrow("-32602 Invalid params");
  client.notify("session/cancel", { sessionId: 5 });
  expect(client.problems.join()).toContain("session/cancel failed");
});

test("an invalid configuration is an error of the request, until it is fixed", async () => {
  writeFileSync(join(home, "config.json"), '{"model":5}');
  const client = await open();
  await expect(client.start(cwd)).rejects.toThrow("config.json");
  writeFileSync(join(home, "config.json"), '{"model":"demo/script"}');
  const id = await client.start(cwd);
  expect(await client.prompt(id, "say: hi")).toEqual({ stopReason: "end_turn" });
});

import { Type } from "@sinclair/typebox";
import { expect, test } from "vitest";
import { EventQueue } from "../../core/async/event-queue.js";
import { serveLines } from "./serve-lines.js";
import type { McpService, ServedTool } from "./served-tool.js";

type Json = Record<string, unknown>;

/** A client on the other side of the pipe. */
class Pipe {
  readonly #input = new EventQueue<Uint8Array>({ onLeave: () => undefined });
  readonly #answers: Json[] = [];
  #wake: () => void = () => undefined;
  readonly done: Promise<void>;

  constructor(tools: readonly ServedTool[] = []) {
    const service: McpService = {
      info: { name: "t", version: "1" },
      instructions: "",
      tools,
      explain: (error) => String(error),
    };
    this.done = serveLines(service, this.#input, (line) => {
      expect(line.endsWith("\n")).toBe(true);
      this.#answers.push(JSON.parse(line));
      this.#wake();
    });
  }

  send(...texts: string[]): void {
    for (const text of texts) this.#input.push(new TextEncoder().encode(text));
  }

  /** All messages, once there are this many. */
  async received(count: number): Promise<Json[]> {
    while (this.#answers.length < count) await new Promise<void>((wake) => (this.#wake = wake));
    return this.#answers;
  }

  end(): Promise<void> {
    this.#input.end();
    return this.done;
  }
}

function tool(name: string, execute: ServedTool["execute"]): ServedTool {
  return { name, title: name, description: name, parameters: Type.Object({}), readOnly: true, execute };
}

/** A tool that runs until it is cancelled. */
function endless() {
  let started: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => (started = resolve));
  const wait = tool("wait", (_, { signal }) => {
    started();
    return new Promise((done) => signal.addEventListener("abort", () => done({ content: "stopped" })));
  });
  return { wait, begun };
}

const call = (id: number, name: string, meta = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, _meta: meta } })}\n`;

test("lines are read however they are cut, and bad lines are answered without ending the connection", async () => {
  const pipe = new Pipe();
  pipe.send('{"jsonrpc":"2.0","id":1,"me', 'thod":"ping"}\n\nnot JSON\n[]\n{"jsonrpc":"2.0","method":"x"}\n');
  expect(await pipe.received(3)).toEqual([
    expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
    expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32600 }) }),
    { jsonrpc: "2.0", id: 1, result: {} },
  ]);
  await pipe.end();
});

test("a cancelled call gets no answer, and others go on", async () => {
  const { wait, begun } = endless();
  const pipe = new Pipe([wait, tool("quick", async () => ({ content: "done" }))]);
  pipe.send(call(1, "wait"));
  await begun;
  pipe.send(
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}\n',
    call(2, "quick"),
  );
  const messages = await pipe.received(1);
  await pipe.end();
  expect(messages).toEqual([
    { jsonrpc: "2.0", id: 2, result: { content: [{ type: "text", text: "done" }] } },
  ]);
});

test("the end of the input cancels what is in progress", async () => {
  const { wait, begun } = endless();
  const pipe = new Pipe([wait]);
  pipe.send(call(1, "wait"));
  await begun;
  await pipe.end();
  expect(await pipe.received(0)).toEqual([]);
});

test("an id that is in use is refused, and can be used again afterwards", async () => {
  const { wait, begun } = endless();
  const pipe = new Pipe([wait]);
  pipe.send(call(1, "wait"));
  await begun;
  pipe.send('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(await pipe.received(1)).toMatchObject([{ id: 1, error: { code: -32600 } }]);
  await pipe.end();
});

test("progress is sent only to a client that has asked for it", async () => {
  const pipe = new Pipe([
    tool("slow", async (_, { update }) => {
      update({ content: "half" });
      return { content: "done" };
    }),
  ]);
  pipe.send(call(1, "slow"));
  expect(await pipe.received(1)).toHaveLength(1);
  pipe.send(call(2, "slow", { progressToken: "t" }));
  expect((await pipe.received(3)).slice(1)).toEqual([
    {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: "t", progress: 1, message: "half" },
    },
    expect.objectContaining({ id: 2 }),
  ]);
  await pipe.end();
});

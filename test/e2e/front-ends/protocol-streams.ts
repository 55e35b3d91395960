import type { JsonObject } from "../../../src/core/json/value.js";
import type { TestGateway } from "../../fakes/gateway.js";

/** A block of an answer, as the events of a stream name it. */
export interface StreamBlock {
  id: string;
  text: string;
}

/** A protocol whose answers are event streams, without a client: what is on the wire counts. */
export interface ProtocolStream {
  name: string;
  path: string;
  /** The body that sends a user's message. Sent again, it is the same message. */
  body(session: string, text: string): object;
  /** The last event of a stream, by how the answer ended. */
  ends: Record<"done" | "aborted" | "failed" | "closing", RegExp>;
  /** Adds what an event states about blocks. Throws if a block is not open. */
  read(event: JsonObject, blocks: BlockReader): void;
}

export class BlockReader {
  readonly blocks: StreamBlock[] = [];
  readonly #open = new Set<string>();

  start(id: unknown): void {
    if (this.blocks.some((block) => block.id === id)) throw new Error(`the id ${id} is used twice`);
    this.blocks.push({ id: String(id), text: "" });
    this.#open.add(String(id));
  }

  append(id: unknown, delta: unknown): void {
    const block = this.blocks.find((one) => one.id === id);
    if (block === undefined || !this.#open.has(block.id)) throw new Error(`${id} is not open`);
    block.text += String(delta);
  }

  end(id: unknown): void {
    if (!this.#open.delete(String(id))) throw new Error(`${id} is not open`);
  }

  get isComplete(): boolean {
    return this.#open.size === 0;
  }
}

export const protocolStreams: readonly ProtocolStream[] = [
  {
    name: "AI SDK",
    path: "/ai-sdk/main/chat",
    body: (id, text) => ({ id, messages: [{ id: "u1", role: "user", parts: [{ type: "text", text }] }] }),
    ends: {
      done: /\ndata: {"type":"finish","finishReason":"stop"}\n\ndata: \[DONE\]\n\n$/,
      aborted: /\ndata: {"type":"abort"}\n\ndata: \[DONE\]\n\n$/,
      failed: /(^|\n)data: {"type":"error","errorText":"[^\n]*no such model[^\n]*"}\n\ndata: \[DONE\]\n\n$/,
      closing:
        /\ndata: {"type":"error","errorText":"the gateway is shutting down[^\n]*"}\n\ndata: \[DONE\]\n\n$/,
    },
    read({ type, id, delta }, blocks) {
      const [, kind] = /^(?:text|reasoning)-(start|delta|end)$/.exec(String(type)) ?? [];
      if (kind === "start") blocks.start(id);
      else if (kind === "delta") blocks.append(id, delta);
      else if (kind === "end") blocks.end(id);
    },
  },
  {
    name: "AG-UI",
    path: "/ag-ui/agent/main/run",
    body: (threadId, text) => ({
      threadId,
      runId: "r1",
      protocolVersion: "1.0",
      messages: [{ id: "u1", role: "user", content: text }],
    }),
    ends: {
      done: /\ndata: {"type":"RUN_FINISHED",[^\n]*"usage":[^\n]*}\n\n$/,
      aborted: /\ndata: {"type":"RUN_FINISHED",[^\n]*"outcome":{"type":"cancelled"}}\n\n$/,
      failed: /\ndata: {"type":"RUN_ERROR","message":"[^\n]*no such model[^\n]*"}\n\n$/,
      closing: /\ndata: {"type":"RUN_ERROR","message":"the gateway is shutting down[^\n]*"}\n\n$/,
    },
    read({ type, messageId, delta }, blocks) {
      const [, kind] = /^(?:TEXT|REASONING)_MESSAGE_(START|CONTENT|END)$/.exec(String(type)) ?? [];
      if (kind === "START") blocks.start(messageId);
      else if (kind === "CONTENT") blocks.append(messageId, delta);
      else if (kind === "END") blocks.end(messageId);
    },
  },
  {
    name: "A2A",
    path: "/a2a/main",
    body: (contextId, text) => ({
      jsonrpc: "2.0",
      id: 1,
      method: "SendStreamingMessage",
      params: { message: { messageId: "u1", contextId, role: "ROLE_USER", parts: [{ text }] } },
    }),
    ends: {
      done: /\ndata: [^\n]*"state":"TASK_STATE_COMPLETED"[^\n]*\n\n$/,
      aborted: /\ndata: [^\n]*"state":"TASK_STATE_CANCELED"[^\n]*\n\n$/,
      failed: /\ndata: [^\n]*"state":"TASK_STATE_FAILED"[^\n]*no such model[^\n]*\n\n$/,
      closing: /\ndata: {"jsonrpc":"2.0","id":1,"error":{[^\n]*the gateway is shutting down[^\n]*}}\n\n$/,
    },
    // An artifact is a turn; its blocks are not told apart.
    read({ result }, blocks) {
      const update = (result as { artifactUpdate?: ArtifactUpdate } | undefined)?.artifactUpdate;
      if (update === undefined) return;
      const { append, artifact } = update;
      if (!append) blocks.start(artifact.artifactId);
      for (const { text = "" } of artifact.parts) blocks.append(artifact.artifactId, text);
    },
  },
];

interface ArtifactUpdate {
  append: boolean;
  artifact: { artifactId: string; parts: { text?: string }[] };
}

/** Sends the message, and returns the response with its stream. */
export function post(gateway: TestGateway, { path, body }: ProtocolStream, text: string): Promise<Response> {
  return gateway.fetch(path, {
    method: "POST",
    token: gateway.chat,
    headers: { "content-type": "application/json", "a2a-version": "1.0" },
    body: JSON.stringify(body("s1", text)),
  });
}

/** The blocks in a stream. */
export function blocksIn({ read }: ProtocolStream, text: string): BlockReader {
  const reader = new BlockReader();
  for (const frame of text.split("\n\n")) {
    if (frame.startsWith("data: {")) read(JSON.parse(frame.slice("data: ".length)), reader);
  }
  return reader;
}

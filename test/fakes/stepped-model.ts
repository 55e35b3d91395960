import type { Config } from "../../src/runtime/index.js";

interface Chunk {
  thinking?: string;
  text?: string;
  call?: { id?: string; name?: string; arguments: string };
  stop?: "stop" | "tool_calls";
}

/** A model server whose every chunk is sent when the test says so. */
export class SteppedModel {
  readonly config: Config = {
    model: "local/m",
    providers: {
      local: {
        baseUrl: "http://model.test/v1",
        api: "openai-chat",
        apiKey: "test",
        flags: { thinkingField: "reasoning_content" },
      },
    },
  };
  /** The bodies of the requests so far. */
  readonly asked: Record<string, unknown>[] = [];
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #begun: (() => void) | undefined;

  readonly fetch: typeof fetch = async (_, init) => {
    this.asked.push(JSON.parse(String(init?.body)));
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller;
      },
    });
    this.#begun?.();
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };

  /** Fulfilled when it has been asked so many times. */
  async isAsked(times: number): Promise<void> {
    while (this.asked.length < times) await new Promise<void>((resolve) => (this.#begun = resolve));
  }

  send({ thinking, text, call, stop }: Chunk): void {
    const delta = {
      ...(thinking === undefined ? {} : { reasoning_content: thinking }),
      ...(text === undefined ? {} : { content: text }),
      ...(call === undefined
        ? {}
        : { tool_calls: [{ index: 0, id: call.id, type: "function", function: call }] }),
    };
    const chunk = { id: "c", choices: [{ index: 0, delta, finish_reason: stop ?? null }] };
    this.#stream?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(chunk)}\n\n`));
    if (stop === undefined) return;
    this.#stream?.enqueue(new TextEncoder().encode("data: [DONE]\n\n"));
    this.#stream?.close();
  }
}

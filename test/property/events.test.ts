import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AssistantMessage,
  type AssistantMessageEvent,
  collect,
  events,
  liveEvents,
  MessageReducer,
  mismatches,
  reduce,
} from "../../src/core/index.js";
import { assistantMessage } from "../generate/messages.js";

/** Cuts text into pieces of the given sizes, over and over. */
function cutBy(sizes: number[]) {
  return function* (text: string): Generator<string> {
    for (let at = 0, turn = 0; at < text.length; turn++) {
      const size = sizes[turn % sizes.length] ?? 1;
      yield text.slice(at, at + size);
      at += size;
    }
  };
}

const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }).map(cutBy);

async function* from(list: Iterable<AssistantMessageEvent>, failure?: Error) {
  yield* list;
  if (failure !== undefined) throw failure;
}

/** What streams of a message, without what only the final message says. */
function streamed(message: AssistantMessage) {
  return message.content.map((block) => {
    if (block.type === "text") return { type: "text", text: block.text };
    if (block.type === "thinking") return { type: "thinking", thinking: block.thinking };
    return block;
  });
}

describe("reduce and events are inverse", () => {
  test("reducing the events of a message gives that message", () => {
    const seen = { messages: 0, blocks: 0 };
    fc.assert(
      fc.property(assistantMessage, cuts, (message, cut) => {
        expect(reduce(events(message, cut))).toEqual(message);
        seen.messages++;
        seen.blocks += message.content.length;
      }),
      { numRuns: 400 },
    );
    expect(seen.messages).toBe(400);
    expect(seen.blocks).toBeGreaterThan(400);
  });

  test("the deltas alone carry the content, before the terminal event repeats it", () => {
    let withContent = 0;
    fc.assert(
      fc.property(assistantMessage, cuts, (message, cut) => {
        const reducer = new MessageReducer();
        const all = [...events(message, cut)];
        for (const event of all.slice(0, -1)) reducer.push(event);
        expect(streamed(reducer.finish())).toEqual(streamed(message));
        if (message.content.length > 0) withContent++;
      }),
      { numRuns: 400 },
    );
    expect(withContent).toBeGreaterThan(200);
  });

  test("every event of a message fits its schema", () => {
    let checked = 0;
    fc.assert(
      fc.property(assistantMessage, cuts, (message, cut) => {
        for (const event of events(message, cut)) {
          expect(mismatches("AssistantMessageEvent", event)).toEqual([]);
          checked++;
        }
      }),
      { numRuns: 100 },
    );
    expect(checked).toBeGreaterThan(1000);
  });
});

describe("any prefix of a stream", () => {
  test("reduces to a valid message, and its text is a prefix of the final text", () => {
    const seen = { prefixes: 0, insideText: 0, insideArguments: 0 };
    fc.assert(
      fc.property(assistantMessage, cuts, (message, cut) => {
        const reducer = new MessageReducer();
        for (const event of events(message, cut)) {
          const live = reducer.push(event);
          const partial = reducer.partial;
          expect(mismatches("AssistantMessage", partial)).toEqual([]);
          seen.prefixes++;
          for (const [index, block] of (partial?.content ?? []).entries()) {
            const final = message.content[index];
            if (block.type === "text" && final?.type === "text") {
              expect(final.text.startsWith(block.text)).toBe(true);
              if (block.text !== final.text) seen.insideText++;
            }
            if (block.type === "toolCall" && live.type === "toolcall_delta") seen.insideArguments++;
          }
        }
      }),
      { numRuns: 200 },
    );
    expect(seen.prefixes).toBeGreaterThan(2000);
    expect(seen.insideText).toBeGreaterThan(500);
    expect(seen.insideArguments).toBeGreaterThan(500);
  });

  test("becomes exactly one terminal event, whether the source fails or just stops", async () => {
    const seen = { cut: 0, failed: 0 };
    await fc.assert(
      fc.asyncProperty(assistantMessage, cuts, fc.nat(), fc.boolean(), async (message, cut, at, fails) => {
        const all = [...events(message, cut)];
        const prefix = all.slice(0, 1 + (at % (all.length - 1)));
        const out = [];
        for await (const event of liveEvents(from(prefix, fails ? new Error("reset") : undefined))) {
          out.push(event);
        }
        expect(out).toHaveLength(prefix.length + 1);
        expect(out.filter(({ type }) => type === "done" || type === "error")).toHaveLength(1);
        const last = out.at(-1);
        expect(last).toMatchObject({
          type: "error",
          reason: "error",
          error: {
            stopReason: "error",
            errorMessage: fails ? "reset" : "the stream ended before its terminal event",
          },
        });
        expect(mismatches("AssistantMessageEvent", last)).toEqual([]);
        if (fails) seen.failed++;
        else seen.cut++;
      }),
      { numRuns: 200 },
    );
    expect(seen.cut).toBeGreaterThan(50);
    expect(seen.failed).toBeGreaterThan(50);
  });
});

test("collect gives the message of a whole stream", async () => {
  await fc.assert(
    fc.asyncProperty(assistantMessage, async (message) => {
      expect(await collect(from(events(message)))).toEqual(message);
    }),
    { numRuns: 50 },
  );
});

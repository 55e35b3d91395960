import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { DragomanError } from "../../src/core/error.js";
import type { FallbackReason } from "../../src/core/message/fallbacks.js";
import type { LiveAssistantMessageEvent } from "../../src/core/types.js";
import { connect } from "../../src/providers/connect.js";
import { type ConnectorEvent, registerConnector } from "../../src/providers/connectors.js";

/** Each reason with a status that a provider reports for it. */
const statuses = { overload: 529, rateLimit: 429, context: 400, unavailable: 500 } as const;
const reasons = ["overload", "rateLimit", "context", "unavailable"] as const;

interface Spec {
  /** What the model does: it fails before or after the first event, fails within its text, refuses the request, or answers. */
  does: "fails" | "fails after its start" | "breaks off" | "refuses" | "answers";
  reason: FallbackReason;
  on: FallbackReason[] | undefined;
  pieces: number;
}

const spec: fc.Arbitrary<Spec> = fc.record({
  does: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("fails" as const, "fails after its start" as const) },
    { weight: 1, arbitrary: fc.constantFrom("breaks off" as const, "refuses" as const, "answers" as const) },
  ),
  reason: fc.constantFrom(...reasons),
  on: fc.option(fc.uniqueArray(fc.constantFrom(...reasons), { minLength: 1 }), { nil: undefined }),
  pieces: fc.integer({ min: 1, max: 3 }),
});

function failure(reason: FallbackReason): DragomanError {
  if (reason === "context") return new DragomanError("provider/context-overflow", "prompt is too long");
  const status = statuses[reason];
  return new DragomanError("provider/http", `HTTP ${status}`, { details: { status, retryable: true } });
}

const words: Record<FallbackReason, string> = {
  overload: "Overloaded",
  rateLimit: "too many requests",
  context: "prompt is too long",
  unavailable: "internal error",
};

async function* behave({ does, reason, pieces }: Spec, name: string): AsyncGenerator<ConnectorEvent> {
  if (does === "refuses")
    throw new DragomanError("provider/http", "HTTP 400: no", { details: { status: 400 } });
  if (does === "fails") throw failure(reason);
  yield { type: "start" };
  if (does === "fails after its start") {
    yield { type: "error", error: new Error(words[reason]) };
    return;
  }
  for (let piece = 0; piece < pieces; piece++) yield { type: "text_delta", delta: `${name} ` };
  if (does === "breaks off") throw failure(reason);
  yield { type: "done", stopReason: "stop" };
}

const context = { messages: [{ role: "user" as const, content: "hi", timestamp: 0 }] };
const seen = { moved: 0, passedOver: 0, answered: 0, brokenOff: 0, allFailed: 0 };

test("exactly one model's answer reaches the caller, and models are asked as the list says", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spec, { minLength: 2, maxLength: 5 }), async (specs) => {
      const asked: number[] = [];
      registerConnector("acme", {
        async *stream({ id }) {
          asked.push(Number(id));
          const own = specs[Number(id)];
          if (own !== undefined) yield* behave(own, `from-${id}`);
        },
      });
      const model = connect("acme/0", {
        fallbacks: specs.slice(1).map(({ on }, index) => ({
          model: `acme/${index + 1}`,
          ...(on === undefined ? {} : { on }),
        })),
      });
      const events: LiveAssistantMessageEvent[] = [];
      let thrown: unknown;
      try {
        for await (const event of model.stream(context)) events.push(event);
      } catch (error) {
        thrown = error;
      }
      checkOrder(asked, specs);
      checkEvents(events, thrown, asked);
    }),
    { numRuns: 500 },
  );
});

/** After a failure the next model for it is asked, and none after anything else. */
function checkOrder(asked: readonly number[], specs: readonly Spec[]): void {
  expect(asked[0]).toBe(0);
  for (const [place, index] of asked.entries()) {
    const own = specs[index];
    const isFailed = own?.does === "fails" || own?.does === "fails after its start";
    const suited = [...specs.keys()].filter(
      (other) => isFailed && other > index && (specs[other]?.on?.includes(own.reason) ?? true),
    );
    const next = asked[place + 1];
    expect(next).toBe(suited[0]);
    if (next === undefined) continue;
    seen.moved++;
    seen.passedOver += next - index - 1;
  }
}

/** One start, one end, and text of the last model only. */
function checkEvents(
  events: readonly LiveAssistantMessageEvent[],
  thrown: unknown,
  asked: readonly number[],
): void {
  const last = asked.at(-1);
  const text = events.flatMap((event) => (event.type === "text_delta" ? event.delta : [])).join("");
  expect([...new Set(text.split(" ").filter((word) => word !== ""))]).toEqual(
    text === "" ? [] : [`from-${last}`],
  );
  const count = (...types: string[]) => events.filter(({ type }) => types.includes(type)).length;
  if (thrown !== undefined) {
    expect(events).toEqual([]);
    seen.allFailed++;
    return;
  }
  expect({ starts: count("start"), ends: count("done", "error") }).toEqual({ starts: 1, ends: 1 });
  const end = events.at(-1);
  const message = end?.type === "done" ? end.message : end?.type === "error" ? end.error : undefined;
  expect(message?.model).toBe(String(last));
  const failed = asked.slice(0, -1).map((index) => `acme/${index}`);
  const noted: unknown = message?.ext?.["fallbacks"] ?? [];
  expect(noted).toMatchObject(failed.map((model) => ({ model })));
  if (end?.type === "done") seen.answered++;
  else if (text !== "") seen.brokenOff++;
}

afterAll(() => {
  // The law was tested in each of its cases.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
});

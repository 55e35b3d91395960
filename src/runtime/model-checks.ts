import { DragomanError, wordsOf } from "../core/error.js";
import { isObject, isString } from "../core/json/value.js";
import type { AssistantMessage, Loss, UserContent } from "../core/types.js";
import type { Model, StreamOptions } from "../providers/model.js";

/** What became of one feature of a model. */
export interface Check {
  name: string;
  result: "works" | "fails" | "skipped";
  /** How long the call took. */
  ms: number;
  detail: string;
}

interface Probe {
  name: string;
  /** Why the model is not asked; undefined when it is. */
  skip?(card: Model["card"]): string | undefined;
  content: UserContent[];
  tools?: readonly (typeof add)[];
  options: StreamOptions;
  /** What shows that it works; undefined when it does not. */
  evidence(answer: AssistantMessage): string | undefined;
  /** What is wrong when there is no evidence. */
  missing: string;
}

/** Enough for a short answer with some thinking. */
const MAX_TOKENS = 2048;

const add = {
  name: "add",
  description: "Adds two numbers.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
};

const city = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

/** A red square of 16 by 16 pixels. */
const RED =
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mP4z8BAEmIY1TCqYfhqAACQ+f8B8u7oVwAAAABJRU5ErkJggg==";

const text = (words: string): UserContent => ({ type: "text", text: words });

/** The prompts are also scripts of `demo/script`, so that it can be tested like any model. */
const probes: readonly Probe[] = [
  {
    name: "text",
    content: [text("say: Dragoman")],
    options: { maxTokens: MAX_TOKENS },
    evidence: textIn,
    missing: "the answer has no text",
  },
  {
    name: "tools",
    skip: ({ tools }) => (tools === false ? "the model calls no tools" : undefined),
    content: [text('call: add {"a": 2, "b": 3}')],
    tools: [add],
    options: { maxTokens: MAX_TOKENS, toolChoice: "any" },
    evidence: callIn,
    missing: "the answer does not call the tool with both numbers",
  },
  {
    name: "thinking",
    skip: ({ thinking }) => (thinking ? undefined : "the model does not think"),
    content: [text("think: Is 91 a prime number?\nsay: yes or no")],
    options: { maxTokens: MAX_TOKENS, thinking: "low" },
    evidence: thinkingIn,
    missing: "the answer has no thinking",
  },
  {
    name: "images",
    skip: ({ input }) => (input.includes("image") ? undefined : "the model does not accept images"),
    content: [{ type: "image", data: RED, mimeType: "image/png" }, text("say: the colour of the image")],
    options: { maxTokens: MAX_TOKENS },
    evidence: redIn,
    missing: "the answer does not name the colour of the image, red",
  },
  {
    name: "structured output",
    skip: ({ structured }) => (structured === false ? "the model answers in text only" : undefined),
    content: [text('say: {"city": "Paris"}')],
    options: { maxTokens: MAX_TOKENS, output: { schema: city, name: "city" } },
    evidence: cityIn,
    missing: "the answer does not fit the schema",
  },
];

/** One call for each feature (default: all), one after the other. */
export async function* checkModel(
  model: Model,
  now: () => number = Date.now,
  features: readonly string[] = probes.map(({ name }) => name),
): AsyncGenerator<Check> {
  for (const probe of probes.filter(({ name }) => features.includes(name))) {
    const { name } = probe;
    const reason = probe.skip?.(model.card);
    const start = now();
    if (reason !== undefined) yield { name, result: "skipped", ms: 0, detail: reason };
    else {
      const outcome = await ask(model, probe);
      yield { name, ...outcome, ms: now() - start };
    }
  }
}

async function ask(model: Model, probe: Probe): Promise<Pick<Check, "result" | "detail">> {
  const losses: Loss[] = [];
  const context = {
    messages: [{ role: "user" as const, content: probe.content, timestamp: 0 }],
    ...(probe.tools === undefined ? {} : { tools: probe.tools }),
  };
  try {
    const answer = await model.complete(context, {
      ...probe.options,
      onLosses: (found) => losses.push(...found),
    });
    if (answer.stopReason === "error" || answer.stopReason === "aborted") {
      return { result: "fails", detail: answer.errorMessage ?? "the answer failed" };
    }
    const dropped = losses.find(({ severity, at }) => severity === "dropped" && at.startsWith("/messages"));
    if (dropped !== undefined)
      return { result: "fails", detail: `${dropped.what} is not sent: ${dropped.why}` };
    const evidence = probe.evidence(answer);
    return evidence === undefined
      ? { result: "fails", detail: probe.missing }
      : { result: "works", detail: evidence };
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    const { hint } = error;
    return { result: "fails", detail: hint === undefined ? wordsOf(error) : `${wordsOf(error)}; ${hint}` };
  }
}

/** Longer evidence is cut. */
const SHOWN = 60;

function cut(words: string): string {
  return words.length > SHOWN ? `${words.slice(0, SHOWN)}…` : words;
}

function textOf({ content }: AssistantMessage): string {
  return content
    .flatMap((block) => (block.type === "text" ? block.text : []))
    .join("")
    .trim();
}

function textIn(answer: AssistantMessage): string | undefined {
  const said = textOf(answer);
  return said === "" ? undefined : cut(said);
}

function redIn(answer: AssistantMessage): string | undefined {
  return /\bred\b/i.test(textOf(answer)) ? textIn(answer) : undefined;
}

function callIn({ content }: AssistantMessage): string | undefined {
  const call = content.find((block) => block.type === "toolCall");
  if (call?.type !== "toolCall" || call.name !== add.name || call.argumentsError !== undefined)
    return undefined;
  const isComplete = ["a", "b"].every((key) => typeof call.arguments[key] === "number");
  return isComplete ? cut(`${call.name} ${JSON.stringify(call.arguments)}`) : undefined;
}

function cityIn(answer: AssistantMessage): string | undefined {
  try {
    const value: unknown = JSON.parse(textOf(answer));
    return isObject(value) && isString(value["city"]) ? textIn(answer) : undefined;
  } catch {
    return undefined;
  }
}

/** Some providers show only that there was thinking. */
function thinkingIn({ content }: AssistantMessage): string | undefined {
  const thinking = content.find((block) => block.type === "thinking");
  if (thinking?.type !== "thinking") return undefined;
  return thinking.thinking.trim() === "" ? "not shown by the provider" : cut(thinking.thinking.trim());
}

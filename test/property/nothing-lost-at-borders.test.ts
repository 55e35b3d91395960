import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { registry as channels } from "../../src/channels/registry.js";
import { convert } from "../../src/convert/convert.js";
import { detectOne } from "../../src/convert/detect.js";
import { dialects } from "../../src/convert/dialects.js";
import type { AgentMessage, Loss } from "../../src/core/index.js";
import { noteOf } from "../../src/core/message/notes.js";
import type { ApiName, DialectName } from "../../src/dialects/registry.js";
import { lostInAnswer } from "../../src/gateway/channels/border-losses.js";
import { payloadOf } from "../../src/gateway/channels/outbox/answer-payload.js";
import { fillWith } from "../../src/runtime/copy.js";
import { Runtime } from "../../src/runtime/runtime.js";
import { fileDialect, transcriptMessages } from "../../src/runtime/transcript.js";
import { SessionView } from "../../src/runtime/views.js";
import { asked } from "../fakes/asked-model.js";
import { models } from "../fakes/model-server.js";
import { anything } from "../generate/anything.js";
import { holds, marked, names, silent } from "../generate/marked.js";
import { assistantMessage } from "../generate/messages.js";
import { corpus } from "../support/corpus.js";
import { folderForEachTest } from "../support/temporary-folder.js";

const path = folderForEachTest();
const apis = Object.keys(models) as ApiName[];

/** Losses of a conversion point into lines; marks point into messages. */
function inMessages({ at, ...loss }: Loss): Loss {
  return { ...loss, at: `/messages${at}` };
}

describe("what a live view shows and its losses name are all that a conversation says", () => {
  test.each(["cline", "openclaw-turns"] as const)("%s", async (dialect) => {
    const seen = { marks: 0, shown: 0 };
    await fc.assert(
      fc.asyncProperty(anything, async (messages) => {
        const source = marked(messages.filter(({ role }) => role !== "session"));
        const file = path("view");
        const losses = await new SessionView(dialect, file).write(source.messages);
        const text = readFileSync(file, "utf8");
        expect(silent(source.marks, text, losses.map(inMessages)), text).toEqual([]);
        seen.marks += source.marks.length;
        seen.shown += source.marks.filter(({ word }) => holds(text, word)).length;
      }),
      { numRuns: 60 },
    );
    expect(seen.marks).toBeGreaterThan(500);
    expect(seen.shown).toBeGreaterThan(seen.marks / 2);
  });
});

describe("what people on a platform are sent and the losses name are all that an answer says to them", () => {
  test.each(["telegram", "discord", "whatsapp", "webhook"] as const)("%s", async (name) => {
    const channel = await channels[name]();
    const place = { kind: "direct", chat: "1" } as const;
    const seen = { marks: 0, sent: 0 };
    await fc.assert(
      fc.asyncProperty(assistantMessage, async (answer) => {
        // Thinking and calls are not for people, and a failed answer is reported in words of our own.
        const content = answer.content.filter(
          ({ type }) => !["thinking", "toolCall", "opaque"].includes(type),
        );
        const { messages, marks } = marked([{ ...answer, content, stopReason: "stop" }]);
        const [message] = messages;
        if (message === undefined) return;
        const payload = payloadOf(message);
        const sent = JSON.stringify(payload === undefined ? [] : channel.outgoing(payload, place));
        const losses = lostInAnswer(message, payload?.text ?? "", channel);
        const lost = losses.map((loss) => ({ ...loss, at: `/messages/0${loss.at}` }));
        expect(silent(marks, sent, lost), sent).toEqual([]);
        seen.marks += marks.length;
        seen.sent += marks.filter(({ word }) => holds(sent, word)).length;
      }),
      { numRuns: 100 },
    );
    expect(seen.sent).toBeGreaterThan(seen.marks / 2);
    expect(seen.sent).toBeLessThan(seen.marks);
  });
});

const corpusFolder = fileURLToPath(new URL("../../conformance", import.meta.url));
const readable = (await dialects()).filter(({ reads }) => reads).map(({ name }) => name as DialectName);
const fixtures = readable.flatMap((dialect) =>
  readdirSync(join(corpusFolder, dialect), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.jsonl?$/.test(entry.name) && entry.name !== "expected.json")
    .map(({ name }) => [dialect, name] as const),
);

interface Said {
  text: string;
  at: string;
}

/** Everything that a conversation says, as far as it is text of some length, and where. */
function said(messages: readonly AgentMessage[]): Said[] {
  const found: Said[] = [];
  const collect = (value: unknown, at: string) => {
    if (typeof value === "string") {
      if (value.trim().length > 8) found.push({ text: value.trim(), at });
    } else if (Array.isArray(value))
      for (const [index, item] of value.entries()) collect(item, `${at}/${index}`);
    else if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        if (["text", "thinking", "arguments", "data"].includes(key) || at.includes("/arguments"))
          collect(item, `${at}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
      }
    }
  };
  for (const [index, message] of messages.entries()) {
    if (!["user", "assistant", "toolResult", "system"].includes(message.role) || !("content" in message))
      continue;
    collect(message.content, `/messages/${index}/content`);
  }
  return found;
}

/** As it is written in JSON: as a value, in a text, in a text that holds JSON itself; of a file its bytes or its text. */
function isIn(body: string, { text, at }: Said): boolean {
  const once = JSON.stringify(text).slice(1, -1);
  const file = at.endsWith("/data") ? [Buffer.from(text, "base64").toString()] : [];
  return [text, once, JSON.stringify(once).slice(1, -1), ...file].some((form) => body.includes(form));
}

/** The number of texts that were looked for; 0 where the messages are refused with an error, before anything is sent. */
async function expectAllSentOrNamed(messages: AgentMessage[], from: DialectName): Promise<number> {
  for (const api of apis) {
    const context: AgentMessage[] = [...messages, { role: "user", content: "Please go on.", timestamp: 1 }];
    // A request of the same API is repeated as it was written, whatever the API says to it.
    const sent = await asked(api, context, { strict: from !== api });
    if (sent === undefined) return 0;
    const { body, losses } = sent;
    const missing = said(context).filter(
      (one) => !isIn(body, one) && !losses.some((loss) => names(loss, one.at)),
    );
    expect({ api, missing }).toEqual({ api, missing: [] });
  }
  return said(messages).length;
}

async function messagesOf(text: string, from: DialectName): Promise<AgentMessage[]> {
  const { output } = await convert(text, { from, to: "openclaw" });
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
    .filter((message) => message.role !== "compaction");
}

test.each(fixtures)("a %s file (%s) is sent to every API, or its losses are named", async (dialect, name) => {
  const text = readFileSync(join(corpusFolder, dialect, name), "utf8");
  await expectAllSentOrNamed(await messagesOf(text, dialect), dialect);
});

describe("recordings", () => {
  const folder = corpus("sessions");
  const files = [
    "sessions/pi/large-session.jsonl",
    "sessions/cline/success.messages.json",
    "agents/agent-sessions/pi/small.jsonl",
  ];
  test.skipIf(folder === undefined).each(files)(
    "%s",
    async (file) => {
      const text = readFileSync(join(folder ?? "", "..", file), "utf8");
      const dialect = await detectOne(Buffer.from(text));
      expect(await expectAllSentOrNamed(await messagesOf(text, dialect), dialect)).toBeGreaterThan(3);
    },
    120_000,
  );
});

/** Ids and names that a reason quotes do not make it another one. */
function reasonOf({ why }: Loss): string {
  return why.replaceAll(/"[^"]*"/g, '""');
}

test.each(fixtures.filter(([dialect]) => dialect === "cline" || dialect === "openclaw-turns"))(
  "an imported %s session (%s) has a note of all that its next request leaves out",
  async (dialect, name) => {
    const file = join(corpusFolder, dialect, name);
    let body = "";
    const runtime = new Runtime({
      home: path("home"),
      config: {
        model: "openai/gpt-4o",
        agents: { main: { tools: [] } },
        providers: {
          openai: { apiKey: "k", api: "openai-chat", baseUrl: "http://127.0.0.1:9", maxRetries: 0 },
        },
      },
      models: {
        fetch: async (_, init) => {
          body = String(init.body);
          return new Response("{}", { status: 400 });
        },
      },
    });
    const lost: Loss[] = [];
    runtime.watchLosses(({ losses }) => lost.push(...losses));
    const read = transcriptMessages(() => createReadStream(file), await fileDialect(file));
    const session = await runtime.log.create({ agent: "main" }, fillWith(read));
    await session.close();
    const conversation = await runtime.open(session.id);
    await conversation.send({ role: "user", content: "Please go on.", timestamp: 1 });
    await conversation.idle();
    const notes = (await conversation.messages()).flatMap((message) => {
      const note = noteOf(message);
      return note?.type === "dragoman/losses" ? note.data.losses : [];
    });
    await runtime.close();
    const reasons = new Set(notes.map(reasonOf));
    const silentReasons = lost
      .filter(({ severity }) => severity !== "synthesised")
      .map(reasonOf)
      .filter((why) => !reasons.has(why));
    expect(body).not.toBe("");
    expect(silentReasons).toEqual([]);
  },
);

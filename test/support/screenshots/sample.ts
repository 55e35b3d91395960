import { readFileSync } from "node:fs";
import { priced } from "../../../src/core/message/usage.js";
import type { AgentMessage, AssistantMessage, ToolResultMessage } from "../../../src/core/types.js";

/** A session for the pictures. */
export interface SampleSession {
  title: string;
  agent: string;
  /** Given instead of the title: the title is then the first message. */
  key?: string;
  /** The title of the session whose agent started it. */
  parent?: string;
  messages: AgentMessage[];
}

const NOON = Date.now() - 20 * 60_000;
let seconds = 0;

const next = (step: number): number => {
  seconds += step;
  return NOON + seconds * 1_000;
};

const user = (content: string, sender?: string): AgentMessage => ({
  role: "user",
  content,
  timestamp: next(40),
  ...(sender === undefined ? {} : { sender }),
});

function answer(input: number, content: AssistantMessage["content"]): AssistantMessage {
  const output = Math.round(JSON.stringify(content).length / 4);
  return {
    role: "assistant",
    content,
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-sonnet-4-6",
    usage: priced(
      { input, output, cacheRead: input * 6, cacheWrite: 0 },
      { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
    ),
    stopReason: content.some(({ type }) => type === "toolCall") ? "toolUse" : "stop",
    timestamp: next(4),
  };
}

function result(toolCallId: string, toolName: string, text: string, details?: object): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId,
    toolName,
    content: [{ type: "text", text }],
    isError: false,
    timestamp: next(1.4),
    ...(details === undefined ? {} : { details }),
  };
}

const text = (words: string) => ({ type: "text" as const, text: words });

const found = `The reader keeps the last line only if it ends with a newline. A file that was cut off, or written by an editor that adds none, loses its last message.

\`\`\`ts
export function* readLines(text: string): Generator<string> {
  let start = 0;
  for (let end = text.indexOf("\\n"); end >= 0; end = text.indexOf("\\n", start)) {
    yield text.slice(start, end);
    start = end + 1;
  }
  if (start < text.length) yield text.slice(start); // the last line has no end
}
\`\`\`

| input | before | after |
| :-- | --: | --: |
| \`a\\nb\\n\` | 2 lines | 2 lines |
| \`a\\nb\` | **1 line** | 2 lines |

I added a test for both, and all 214 tests pass.`;

/** The one that is shown. */
export const TITLE = "The last line goes missing";

const main = (): SampleSession => ({
  title: TITLE,
  agent: "main",
  messages: [
    user("Our importer drops the last message of some transcripts. Can you find out why, and fix it?"),
    answer(900, [
      {
        type: "thinking",
        thinking:
          "A message at the end: perhaps a file without a newline at its end. I look at the reader first.",
      },
      text("I will look at how the lines are read."),
      { type: "toolCall", id: "c1", name: "read", arguments: { file_path: "src/lines.ts" } },
    ]),
    result(
      "c1",
      "read",
      "export function readLines(text: string): string[] {\n  return text.split(/\\n/).slice(0, -1);\n}\n",
    ),
    answer(1_400, [
      {
        type: "toolCall",
        id: "c2",
        name: "edit",
        arguments: { file_path: "src/lines.ts", old_text: "slice(0, -1)", new_text: "…" },
      },
      { type: "toolCall", id: "c3", name: "exec", arguments: { command: "npm test" } },
    ]),
    result("c2", "edit", "replaced 1 place", {
      diff: "--- src/lines.ts\n+++ src/lines.ts\n@@ -1,3 +1,3 @@\n-  return text.split(/\\n/).slice(0, -1);\n+  yield text.slice(start);\n",
    }),
    result("c3", "exec", "214 passed"),
    answer(2_100, [text(found)]),
  ],
});

const short = (title: string, question: string, words: string, suffix = ""): SampleSession => ({
  title,
  agent: "main",
  messages: [user(question), answer(300, [text(words + suffix)])],
});

/** The one with a picture in it. */
export const PICTURE = "What is wrong on this page?";
export const PICTURE_FILE = "screenshot.png";

const picture = (): SampleSession => ({
  title: PICTURE,
  agent: "main",
  messages: [
    {
      role: "user",
      content: [
        text(PICTURE),
        {
          type: "image",
          data: readFileSync(new URL("../../../docs/images/home.png", import.meta.url), "base64"),
          mimeType: "image/png",
          name: PICTURE_FILE,
        },
      ],
      timestamp: next(40),
    },
    answer(900, [text("Nothing that I can see.")]),
  ],
});

/** The one whose agent asks for permission. */
export const ASKING_TITLE = "Retry failed logins";

/** The oldest first. */
export const samples = (suffix: string): readonly SampleSession[] => [
  short(`Notes for the release${suffix}`, "Write the notes for 2.0.", "Here they are."),
  short("Names for the new tool", "I need a name.", "What about *dragoman*?"),
  picture(),
  short(
    ASKING_TITLE,
    "Logins fail at the first hiccup. Can you make them retry?",
    "Yes: the number of retries is a constant in `src/login.ts`.",
    suffix,
  ),
  short("Why is the build slow?", "The build takes a minute.", "Most of it is one line of a plugin.", suffix),
  {
    ...short("Where do we eat on Friday?", "Where do we eat on Friday?", "The noodle place is open."),
    agent: "research",
    key: "agent:research:telegram:dm:42",
  },
  main(),
  {
    title: "Look for other readers of lines",
    agent: "main",
    parent: TITLE,
    messages: [
      user("Which other files split text into lines?"),
      answer(200, [text("Two: `sse.ts` and `tail.ts`.")]),
    ],
  },
];

/** The session that is shown, as a file with two answers to its last question, for the viewer. */
export function branchedTranscript(suffix: string): string {
  const { messages } = main();
  const line = (message: AgentMessage, at: number) => ({
    ...message,
    id: `m${at}`,
    ...(at === 0 ? {} : { parentId: `m${at - 1}` }),
  });
  const chain = messages.map(line);
  const other = {
    ...answer(1_900, [text(`The importer is right: those files are cut off.${suffix}`)]),
    id: "other",
  };
  const [before, last] = [chain.slice(0, -1), chain.slice(-1)];
  return [...before, { ...other, parentId: `m${before.length - 1}` }, ...last]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join("");
}

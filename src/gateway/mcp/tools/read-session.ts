import * as Type from "@sinclair/typebox";
import { defined } from "../../../core/json/defined.js";
import { showOnPage } from "../../../core/page/shown-message.js";
import type { AgentMessage } from "../../../core/types.js";
import { sectionOf } from "../../../dialects/markdown/section.js";
import type { Entry } from "../../../log/types.js";
import type { ServedTool } from "../../../mcp/server/served-tool.js";
import type { ReadableSessions } from "../../../runtime/sources/readable-sessions.js";
import { indexOptions } from "./index-options.js";
import {
  FOREIGN_TEXT,
  SessionInfo,
  sessionInfo,
  sessionLine,
  sessionName,
  sourceName,
} from "./session-fields.js";
import { wholeCharacters } from "./text-window.js";

const PAGE = 20;
/** Characters in one page: about 6,000 tokens. */
const PAGE_CHARACTERS = 24_000;

const parameters = Type.Object({
  session: sessionName,
  source: sourceName,
  position: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Where to begin: a position from a search, or `next` (default: 0).",
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Characters of the first message to skip: `next.offset` of the previous page.",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, description: `Messages per page (default: ${PAGE}).` }),
  ),
  thinking: Type.Optional(Type.Boolean({ description: "Include the models' thinking (default: false)." })),
});

const result = Type.Object({
  session: SessionInfo,
  messages: Type.Array(Type.Object({ position: Type.Number(), role: Type.String(), text: Type.String() })),
  unreadable: Type.Array(Type.String()),
  next: Type.Optional(Type.Object({ position: Type.Number(), offset: Type.Number() })),
});

interface Page {
  messages: { position: number; role: string; text: string }[];
  next?: { position: number; offset: number };
}

interface PageOptions {
  offset: number;
  limit: number;
  thinking: boolean;
}

/** A session as Markdown, page by page. A long message continues on the next page, so that nothing is left out. */
export function readSession(sessions: ReadableSessions): ServedTool<typeof parameters> {
  return {
    name: "sessions_read",
    title: "Read a session",
    description:
      "Reads the messages of a session as Markdown, page by page. `next` of the result is where the next page begins. " +
      FOREIGN_TEXT,
    parameters,
    result,
    readOnly: true,
    async execute({ session, source, position = 0, offset = 0, limit = PAGE, thinking = false }, run) {
      const summary = await sessions.find(session, source, indexOptions(run));
      const unreadable: string[] = [];
      const entries = sessions.read(summary, position, (reason) => unreadable.push(reason));
      const { messages, next } = await pageOf(entries, { offset, limit, thinking });
      return {
        content: [
          sessionLine(summary),
          ...messages.map((message) => `[position ${message.position}]\n${message.text}`),
          ...(messages.length === 0 ? ["no more messages"] : []),
          ...unreadable.map((reason) => `[unreadable: ${reason}]`),
          ...(next === undefined ? [] : [`[more: position ${next.position}, offset ${next.offset}]`]),
        ].join("\n\n"),
        details: { session: sessionInfo(summary), messages, unreadable, ...defined({ next }) },
      };
    },
  };
}

/** Ends before a message that does not fit; only the first message of a page is cut. */
async function pageOf(
  entries: AsyncIterable<Entry>,
  { offset, limit, thinking }: PageOptions,
): Promise<Page> {
  const messages: Page["messages"] = [];
  let room = PAGE_CHARACTERS;
  for await (const { message, position } of entries) {
    const shown = showOnPage(thinking ? message : withoutThinking(message), false);
    if (shown === undefined) continue;
    const whole = sectionOf(shown);
    const skipped = messages.length === 0 ? offset : 0;
    const text = whole.slice(skipped);
    const { role } = message;
    if (messages.length === 0 && text.length > room) {
      const part = wholeCharacters(text.slice(0, room));
      return {
        messages: [{ position, role, text: part }],
        next: { position, offset: skipped + part.length },
      };
    }
    if (messages.length === limit || text.length > room) return { messages, next: { position, offset: 0 } };
    messages.push({ position, role, text });
    room -= text.length;
  }
  return { messages };
}

function withoutThinking(message: AgentMessage): AgentMessage {
  if (message.role !== "assistant") return message;
  return { ...message, content: message.content.filter(({ type }) => type !== "thinking") };
}

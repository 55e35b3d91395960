import * as Type from "@sinclair/typebox";
import { convertStream } from "../../../convert/convert.js";
import { load } from "../../../convert/detect.js";
import { defined } from "../../../core/json/defined.js";
import type { Loss } from "../../../core/types.js";
import { registry } from "../../../dialects/registry.js";
import type { ServedTool } from "../../../mcp/server/served-tool.js";
import type { ReadableSessions } from "../../../runtime/sources/readable-sessions.js";
import { indexOptions } from "./index-options.js";
import { FOREIGN_TEXT } from "./session-fields.js";
import { TextWindow } from "./text-window.js";
import { transcriptArguments, transcriptIn } from "./transcript-input.js";

const PAGE_CHARACTERS = 60_000;
const LISTED_LOSSES = 50;

const parameters = Type.Object({
  ...transcriptArguments,
  to: Type.String({ description: `The dialect to write: ${Object.keys(registry).join(", ")}.` }),
  escrow: Type.Optional(
    Type.Boolean({
      description: "Carry data that the target cannot represent in an extra field (default: false).",
    }),
  ),
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "Characters of the output to skip: `next` of the previous page.",
    }),
  ),
});

const result = Type.Object({
  from: Type.String(),
  to: Type.String(),
  text: Type.String(),
  losses: Type.Array(
    Type.Object({ at: Type.String(), what: Type.String(), why: Type.String(), severity: Type.String() }),
  ),
  lossCount: Type.Number(),
  next: Type.Optional(Type.Number()),
});

/** Writes a session, or a given text, in another dialect. */
export function convertTranscript(sessions: ReadableSessions): ServedTool<typeof parameters> {
  return {
    name: "convert",
    title: "Convert a transcript",
    description:
      "Converts a session, or the text of a transcript, to another dialect, and lists everything that the target cannot " +
      `represent. Long outputs are returned page by page. ${FOREIGN_TEXT}`,
    parameters,
    result,
    readOnly: true,
    async execute({ to, escrow = false, offset = 0, ...named }, run) {
      const { dialect: from, open } = await transcriptIn(named, sessions, indexOptions(run));
      const target = await load(to);
      const losses: Loss[] = [];
      let lossCount = 0;
      const onLoss = (loss: Loss) => {
        lossCount += 1;
        if (losses.length < LISTED_LOSSES) losses.push(loss);
      };
      const window = new TextWindow(offset, PAGE_CHARACTERS);
      for await (const chunk of convertStream(open, { from, to: target, escrow, onLoss })) {
        run.signal.throwIfAborted();
        window.push(chunk);
      }
      const { text, next } = window.finish();
      return {
        content: [
          text,
          lossText(losses, lossCount),
          ...(next === undefined ? [] : [`[more: offset ${next}]`]),
        ].join("\n\n"),
        details: { from: from.name, to, text, losses, lossCount, ...defined({ next }) },
      };
    },
  };
}

function lossText(losses: readonly Loss[], count: number): string {
  if (count === 0) return "[no losses]";
  const lines = losses.map(({ at, what, why, severity }) => `- ${severity}: ${what} (${at}): ${why}`);
  const more = count > losses.length ? [`- and ${count - losses.length} more`] : [];
  return [`[${count} losses]`, ...lines, ...more].join("\n");
}

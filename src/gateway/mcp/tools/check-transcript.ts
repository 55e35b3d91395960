import * as Type from "@sinclair/typebox";
import { checkStream, providers } from "../../../convert/check.js";
import type { Problem } from "../../../core/dialect.js";
import { DragomanError } from "../../../core/error.js";
import { defined } from "../../../core/json/defined.js";
import type { ServedTool } from "../../../mcp/server/served-tool.js";
import type { ReadableSessions } from "../../../runtime/sources/readable-sessions.js";
import { indexOptions } from "./index-options.js";
import { FOREIGN_TEXT } from "./session-fields.js";
import { transcriptArguments, transcriptIn } from "./transcript-input.js";

const PAGE = 100;

const parameters = Type.Object({
  ...transcriptArguments,
  for: Type.Optional(
    Type.String({ description: `Also report what this API would refuse: ${providers.join(", ")}.` }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, description: "Problems to skip: `next` of the previous page." }),
  ),
});

const result = Type.Object({
  dialect: Type.String(),
  total: Type.Number(),
  problems: Type.Array(
    Type.Object({
      at: Type.String(),
      line: Type.Optional(Type.Number()),
      column: Type.Optional(Type.Number()),
      code: Type.String(),
      message: Type.String(),
      hint: Type.Optional(Type.String()),
      severity: Type.String(),
    }),
  ),
  next: Type.Optional(Type.Number()),
});

/** Reports the problems of a session, or of a given text. */
export function checkTranscript(sessions: ReadableSessions): ServedTool<typeof parameters> {
  return {
    name: "check",
    title: "Check a transcript",
    description:
      "Reports problems in a session, or in the text of a transcript: damaged lines, tool calls without results, and what " +
      `an API would refuse. ${FOREIGN_TEXT}`,
    parameters,
    result,
    readOnly: true,
    async execute({ for: api, offset = 0, ...named }, run) {
      const provider = providers.find((name) => name === api);
      if (api !== undefined && provider === undefined) {
        throw new DragomanError("model/invalid", `unknown API ${JSON.stringify(api)}`, {
          hint: `use ${providers.join(", ")}`,
        });
      }
      const { dialect, open } = await transcriptIn(named, sessions, indexOptions(run));
      const problems: Problem[] = [];
      let total = 0;
      await checkStream(open(), {
        from: dialect,
        ...defined({ for: provider }),
        onProblem: (problem) => {
          if (total >= offset && problems.length < PAGE) problems.push(problem);
          total += 1;
        },
      });
      const next = total > offset + PAGE ? offset + PAGE : undefined;
      return {
        content: [
          `${dialect.name}: ${total} problems`,
          ...problems.map(problemLine),
          ...(next === undefined ? [] : [`more problems: offset ${next}`]),
        ].join("\n"),
        details: { dialect: dialect.name, total, problems, ...defined({ next }) },
      };
    },
  };
}

function problemLine({ severity, at, line, code, message, hint }: Problem): string {
  const place = line === undefined ? at : `line ${line}, ${at}`;
  return `- ${severity} ${code} at ${place}: ${message}${hint === undefined ? "" : ` (${hint})`}`;
}

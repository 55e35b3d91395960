import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";

/** An agent that is a program of its own. Every text may contain `${NAME}` for an environment variable. */
export const AcpProgramSettings = Type.Object(
  {
    /** A program that speaks the Agent Client Protocol on its standard input and output. */
    command: Type.String({ pattern: "\\S" }),
    args: Type.Optional(Type.Array(Type.String())),
    /** Added to the environment, which contains nothing that looks like a secret. */
    env: Type.Optional(Type.Record(Type.String(), Type.String())),
    /** One of the program's own ways to log in, such as `gemini-api-key` (default: none). */
    authMethod: Type.Optional(Type.String()),
    /** Whether the program continues its own session after a restart, if it can (default: true). */
    resume: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type AcpProgramSettings = Static<typeof AcpProgramSettings>;

import { DragomanError } from "../core/error.js";

/** The refusal of something that only works for an agent whose context Dragoman itself keeps. */
export function notOurs(agent: string, what: string): DragomanError {
  return new DragomanError("acp/not-ours", `the agent "${agent}" is a program of its own: ${what}`, {
    hint: "use the program's own commands or settings",
  });
}

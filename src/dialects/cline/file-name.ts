import { DragomanError } from "../../core/error.js";
import type { Agent } from "./wire.js";

/** The run that a messages file belongs to: the session itself, a subagent or a teammate. */
export type ClineFile =
  | { sessionId: string; agent: Extract<Agent, "lead"> }
  | { sessionId: string; agent: Extract<Agent, "subagent">; agentId: string }
  /** `nano`: six characters that distinguish a teammate's tasks. */
  | { sessionId: string; agent: Extract<Agent, "teammate">; agentId: string; nano: string };

/**
 * The path of a messages file in Cline's sessions folder. `sessionId` is the lead's.
 *
 * @example
 * clineFileName({ sessionId: "s1", agent: "teammate", agentId: "ann", nano: "x7Gh2k" }); // "s1/ann__x7Gh2k.messages.json"
 */
export function clineFileName(file: ClineFile): string {
  const folder = segment(file.sessionId, "/sessionId");
  switch (file.agent) {
    case "lead":
      return `${folder}/${folder}.messages.json`;
    case "subagent":
      return `${folder}/${segment(file.agentId, "/agentId")}.messages.json`;
    case "teammate":
      return `${folder}/${segment(file.agentId, "/agentId")}__${segment(file.nano, "/nano")}.messages.json`;
  }
}

/** Ids are read from files; one that is a path could lead out of the folder. */
function segment(id: string, at: string): string {
  if (/^[^/\\\0]+$/.test(id) && id !== "." && id !== "..") return id;
  const found = JSON.stringify(id);
  throw new DragomanError("model/invalid", `expected a file name without a path, found ${found}`, { at });
}

import { DragomanError } from "../../core/error.js";
import type { Agent } from "./wire.js";

/** Which run a messages file is of: the session itself, a subagent it called, or a member of its team. */
export type ClineFile =
  | { sessionId: string; agent: Extract<Agent, "lead"> }
  | { sessionId: string; agent: Extract<Agent, "subagent">; agentId: string }
  /** `nano` tells the tasks of one teammate apart: six characters. */
  | { sessionId: string; agent: Extract<Agent, "teammate">; agentId: string; nano: string };

/**
 * Where Cline keeps a messages file, below its folder of sessions. `sessionId` is that of the lead.
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

/** Ids come out of files; one that is a path would lead out of the folder. */
function segment(id: string, at: string): string {
  if (/^[^/\\\0]+$/.test(id) && id !== "." && id !== "..") return id;
  throw new DragomanError(
    "model/invalid",
    `expected a file name without a path, found ${JSON.stringify(id)}`,
    { at },
  );
}

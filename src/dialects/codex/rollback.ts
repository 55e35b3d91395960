import type { Rollback, RollbackRole } from "../../core/dialect.js";
import { isNumber, isObject, type JsonObject } from "../../core/json/value.js";
import type { AgentMessage, CustomMessage, SystemMessage, UserMessage } from "../../core/types.js";
import { customTypeOf } from "./encode-note.js";
import { ROLLED_BACK } from "./wire.js";

/** A `thread_rolled_back` event takes back turns of the user, and of agents that sent this one an instruction. */
export const rollback: Rollback = { key: ROLLED_BACK, role: roleOf };

function roleOf(message: AgentMessage): RollbackRole | undefined {
  switch (message.role) {
    case "user":
      return textsOf(message).some(isUserContext) ? "before" : "start";
    case "system":
      return textsOf(message).some(isDeveloperContext) ? "before" : "within";
    case "assistant":
    case "toolResult":
    case "compaction":
      return "within";
    case "custom":
      return roleOfLine(message);
    default:
      return undefined;
  }
}

function roleOfLine({ customType, data }: CustomMessage): RollbackRole | undefined {
  if (!isObject(data)) return undefined;
  if (customType === customTypeOf("inter_agent_communication")) return "start";
  if (customType === customTypeOf("response_item"))
    return data["type"] === "agent_message" ? "start" : "within";
  return customType === customTypeOf("event_msg") ? roleOfEvent(data) : undefined;
}

function roleOfEvent({ type, num_turns: turns }: JsonObject): RollbackRole | undefined {
  return type === ROLLED_BACK && isNumber(turns) && turns > 0 ? { turns } : undefined;
}

function textsOf({ content }: UserMessage | SystemMessage): string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}

/** The elements in which Codex tells the model about its surroundings, in the name of the user. */
const USER_ELEMENTS: ReadonlySet<string> = new Set([
  "environment_context",
  "user_instructions",
  "skill",
  "user_shell_command",
  "turn_aborted",
  "subagent_notification",
  "recommended_plugins",
  "goal_context",
  "codex_internal_context",
  "hook_prompt",
]);

const WARNINGS = [
  "Warning: The maximum number of unified exec processes",
  "Warning: apply_patch was requested via ",
  "Warning: Your account was flagged for",
];

/** Whether Codex wrote a text in the name of the user. */
function isUserContext(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.startsWith("# AGENTS.md instructions")) return trimmed.endsWith("</INSTRUCTIONS>");
  const element = elementOf(trimmed);
  if (element === undefined) return WARNINGS.some((warning) => trimmed.startsWith(warning));
  const isKnown = USER_ELEMENTS.has(element) || element.startsWith("external_");
  return isKnown && trimmed.endsWith(`</${element}>`);
}

/** The name of the element with which a text starts. */
function elementOf(text: string): string | undefined {
  return /^<([a-z_]+)/.exec(text)?.[1];
}

const DEVELOPER_ELEMENTS: ReadonlySet<string> = new Set([
  "permissions",
  "model_switch",
  "managed_developer_instructions",
  "apps_instructions",
  "collaboration_mode",
  "multi_agent_role",
  "multi_agent_mode",
  "environments_instructions",
  "git_attribution",
  "plugins_instructions",
  "realtime_conversation",
  "skills_instructions",
  "tools",
  "personality_spec",
  "token_budget",
  "context_window",
  "context_window_guidance",
  "rollout_budget",
]);

/** Whether a developer message describes surroundings that may have changed since the last turn. */
function isDeveloperContext(text: string): boolean {
  return DEVELOPER_ELEMENTS.has(elementOf(text.trimStart()) ?? "");
}

import type { ToolCall } from "../core/types.js";
import { allowsCommand, type Certainty, matches, restrictsCommand } from "./command-rules.js";
import type { Tool, ToolHooks } from "./types.js";

export type PermissionAction = "allow" | "ask" | "deny";

/** What may be done with a tool. Later rules win over earlier ones, and all win over the defaults. */
export interface PermissionRule {
  /** The name of a tool; `*` stands for any characters. */
  tool: string;
  /**
   * Which calls: matched with the whole subject of a call (its path, its command); `*` stands for any characters. What
   * a pattern cannot be sure of (a command with `;`, `$(…)`, quotes, `find -exec`) it never allows; where it would deny,
   * people are asked.
   */
  pattern?: string;
  action: PermissionAction;
}

export interface PermissionRequest {
  call: ToolCall;
  tool: Tool;
  /** The path or command it is about. */
  subject?: string;
}

/**
 * Asks somebody: `once` lets this call run, `session` also those after it with the same subject, `never` does not.
 * `nobody` is there at the moment.
 */
export type AskPermission = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Promise<"once" | "session" | "never" | "nobody">;

/** Reading is harmless; everything else is asked for, tools that nobody has heard of included. */
const DEFAULTS: readonly PermissionRule[] = [
  { tool: "*", action: "ask" },
  { tool: "read", action: "allow" },
];

/**
 * A hook that lets calls run by rules, and asks somebody where the rules say so. Without `ask` there is nobody, and what
 * would be asked is denied. Rules on commands guard against accidents; what must not happen at all needs a sandbox.
 *
 * @example
 * const before = permissionHook([{ tool: "exec", pattern: "git status*", action: "allow" }], askOnTheTerminal);
 * run(prompts, { model, tools, hooks: { before } });
 */
export function permissionHook(
  rules: readonly PermissionRule[],
  ask?: AskPermission,
): NonNullable<ToolHooks["before"]> {
  const remembered = new Set<string>();
  return async (call, args, tool, signal) => {
    const subject = tool.subject?.(args);
    const what = subject === undefined ? `"${tool.name}"` : `"${tool.name}" with ${JSON.stringify(subject)}`;
    const key = JSON.stringify([tool.name, subject]);
    switch (decide([...DEFAULTS, ...rules], tool, subject)) {
      case "allow":
        return undefined;
      case "deny":
        return { block: `the rules do not allow ${what}` };
      case "ask": {
        if (remembered.has(key)) return undefined;
        const request = { call, tool, ...(subject === undefined ? {} : { subject }) };
        const answer = await (ask?.(request, signal) ?? "nobody");
        if (answer === "nobody") return { block: `${what} needs a permission, and there is nobody to ask` };
        if (answer === "session") remembered.add(key);
        return answer === "never" ? { block: `the user did not allow ${what}` } : undefined;
      }
    }
  };
}

function decide(rules: readonly PermissionRule[], tool: Tool, subject: string | undefined): PermissionAction {
  let action: PermissionAction = "ask";
  for (const rule of rules) {
    if (!matches(rule.tool, tool.name)) continue;
    const certainty = rule.pattern === undefined ? "yes" : covers(rule.pattern, rule.action, tool, subject);
    if (certainty === "yes") action = rule.action;
    else if (certainty === "perhaps" && action === "allow") action = "ask";
  }
  return action;
}

const UPWARDS = /(^|[\\/])\.\.([\\/]|$)/;

/** Whether a rule's pattern covers a call. An allowing rule must be sure; one that restricts says when it might. */
function covers(
  pattern: string,
  action: PermissionAction,
  { subjectKind }: Tool,
  subject: string | undefined,
): Certainty {
  const unsure = action === "allow" ? "no" : "perhaps";
  if (subject === undefined) return unsure;
  if (subjectKind === "path") {
    if (UPWARDS.test(subject)) return unsure;
    return matches(pattern, subject) ? "yes" : "no";
  }
  return action === "allow" ? allowsCommand(pattern, subject) : restrictsCommand(pattern, subject);
}

import type { PermissionEnd } from "../core/message/question-notes.js";
import type { ToolCall } from "../core/types.js";
import { allowsCommand, type Certainty, matches, restrictsCommand } from "./command-rules.js";
import type { Tool, ToolHooks } from "./types.js";

export type PermissionAction = "allow" | "ask" | "deny";

/** What a tool may do. Later rules override earlier ones, and all override the defaults. */
export interface PermissionRule {
  /** The name of a tool, or `server/tool` for one of an MCP server; `*` stands for any characters. */
  tool: string;
  /**
   * Matched with the whole subject of a call (its path or command); `*` stands for any characters. A pattern never allows a
   * command it cannot be certain of (with `;`, `$(…)`, quotes, `find -exec`); where it would deny one, the user is asked.
   */
  pattern?: string;
  action: PermissionAction;
}

export interface PermissionRequest {
  call: ToolCall;
  tool: Tool;
  /** The call's path or command. */
  subject?: string;
}

/**
 * Asks an approver: `once` allows this call, `session` also later ones with the same subject, `never` denies it. `expired`:
 * there was no answer in time; `withdrawn`: the run was stopped first; `unavailable`: there is no approver to ask.
 */
export type AskPermission = (
  request: PermissionRequest,
  signal: AbortSignal,
) => Promise<PermissionEnd | "unavailable">;

/** Reading is harmless; everything else, unknown tools included, needs an approval. */
const DEFAULTS: readonly PermissionRule[] = [
  { tool: "*", action: "ask" },
  { tool: "read", action: "allow" },
];

/**
 * A hook that allows calls by rules, and asks an approver where a rule requires it. Without `ask`, such calls are denied.
 * Rules for commands guard against accidents; a hard guarantee needs a sandbox.
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
        const end = await (ask?.(request, signal) ?? "unavailable");
        if (end === "session") remembered.add(key);
        const block = refusalAfter(end, what);
        return block === undefined ? undefined : { block };
      }
    }
  };
}

/** Why a call must not run; undefined if it may. */
function refusalAfter(end: Awaited<ReturnType<AskPermission>>, what: string): string | undefined {
  switch (end) {
    case "once":
    case "session":
      return undefined;
    case "never":
      return `the user did not allow ${what}`;
    case "expired":
      return `${what} needs approval, and the request expired without an answer`;
    case "withdrawn":
      return `${what} needs approval, and the request was withdrawn without an answer`;
    case "unavailable":
      return `${what} needs approval, but no approver is present`;
  }
}

function decide(rules: readonly PermissionRule[], tool: Tool, subject: string | undefined): PermissionAction {
  let action: PermissionAction = "ask";
  for (const rule of rules) {
    if (!namesOf(tool).some((name) => matches(rule.tool, name))) continue;
    const certainty = rule.pattern === undefined ? "yes" : covers(rule.pattern, rule.action, tool, subject);
    if (certainty === "yes") action = rule.action;
    else if (certainty === "perhaps" && action === "allow") action = "ask";
  }
  return action;
}

function namesOf({ name, ruleName }: Tool): string[] {
  return ruleName === undefined ? [name] : [name, ruleName];
}

const UPWARDS = /(^|[\\/])\.\.([\\/]|$)/;

/** Whether a rule's pattern covers a call. An allowing rule must be certain; a restricting one may answer `perhaps`. */
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

import { type PermissionRule, permissionHook } from "../agent/permissions.js";
import type { ToolHooks } from "../agent/types.js";
import type { ClientTools } from "./client-tools.js";
import type { Permissions } from "./permissions.js";

/**
 * Hooks that ask about calls in a conversation. `isResumable`: our own loop runs the calls, so that another process can run
 * them after the answer.
 */
export function permissionHooks(
  permissions: Permissions,
  rules: readonly PermissionRule[],
  isResumable: boolean,
  clientTools: ClientTools,
): ToolHooks {
  const inspect = permissionHook(rules, async ({ call: toolCall, subject, tool }, signal) => {
    // The client offers its own tools, so that only a rule forbids them.
    if (clientTools.has(tool)) return "once";
    if (!permissions.canAsk) return "unavailable";
    return (await permissions.request({ toolCall, subject, isResumable }, signal)).end;
  });
  return {
    async before(call, args, tool, signal) {
      const verdict = await inspect(call, args, tool, signal);
      return verdict ?? (clientTools.has(tool) ? clientTools.ask(call, signal) : undefined);
    },
    start: () => permissions.recordStart(),
  };
}

import { type PermissionRule, permissionHook } from "../agent/permissions.js";
import type { ToolHooks } from "../agent/types.js";
import type { Permissions } from "./permissions.js";

/**
 * Hooks that ask about calls in a conversation. `isResumable`: our own loop runs the calls, so that another process can run
 * them after the answer.
 */
export function permissionHooks(
  permissions: Permissions,
  rules: readonly PermissionRule[],
  isResumable: boolean,
): ToolHooks {
  const before = permissionHook(rules, async ({ call: toolCall, subject }, signal) => {
    if (!permissions.canAsk) return "unavailable";
    return (await permissions.request({ toolCall, subject, isResumable }, signal)).end;
  });
  return { before, start: () => permissions.recordStart() };
}

import type { Static, TSchema } from "@sinclair/typebox";
import type { Tool, ToolOutput, ToolRun } from "../../src/agent/types.js";
import { DragomanError } from "../../src/core/error.js";

/** Calls a tool as the loop does. */
export function call<P extends TSchema, D>(
  tool: Tool<P, D>,
  args: Static<P>,
  run: Partial<ToolRun<D>> = {},
): Promise<ToolOutput<D>> {
  return tool.execute(args, {
    toolCallId: "call_1",
    signal: new AbortController().signal,
    update: () => undefined,
    ...run,
  });
}

/** `code: message` of the error that a call ends in; what it returned when there was none. */
export async function failureOf(calling: Promise<unknown>): Promise<unknown> {
  try {
    return await calling;
  } catch (error) {
    if (error instanceof DragomanError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

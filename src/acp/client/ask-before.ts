import * as Type from "@sinclair/typebox";
import type { Tool, ToolHooks } from "../../agent/types.js";
import type { JsonObject } from "../../core/json/value.js";
import type { AcpPermissionRequest } from "../wire.js";
import type { PermissionOutcome } from "./agent-program.js";
import type { ForeignCall } from "./foreign-call.js";

/** `allow_always` may outlive our session, so it is selected only if there is no other way to allow. */
const ALLOWING = ["allow_once", "allow_always"];
const REJECTING = ["reject_once", "reject_always"];

/** Decides about a call by our rules and the people in the conversation. Our log remembers what is allowed for a session. */
export async function askBefore(
  call: ForeignCall,
  options: AcpPermissionRequest["options"],
  before: ToolHooks["before"],
  signal: AbortSignal,
): Promise<PermissionOutcome> {
  const { id, name, arguments: args } = call;
  const refusal = await before?.(
    { type: "toolCall", id, name, arguments: args },
    args,
    permittedTool(call),
    signal,
  );
  if (signal.aborted) return { outcome: "cancelled" };
  for (const kind of refusal === undefined ? ALLOWING : REJECTING) {
    const option = options.find((offered) => offered.kind === kind);
    if (option !== undefined) return { outcome: "selected", optionId: option.optionId };
  }
  return { outcome: "cancelled" };
}

/** Rules name it `acp/NAME` or `acp/KIND`: it is not one of our own tools, whatever it is called. */
function permittedTool(call: ForeignCall): Tool {
  return {
    name: `acp/${call.name}`,
    ruleName: `acp/${call.kind}`,
    description: call.title,
    parameters: Type.Unsafe<JsonObject>({}),
    subject: () => call.subject,
    ...(call.isCommand ? {} : { subjectKind: "path" as const }),
    async execute() {
      throw new Error("the agent program runs its tools itself");
    },
  };
}

import { isObject, type JsonObject } from "../../core/json/value.js";

/** How a response ended: with a stop reason or an error message. */
export type Ending = { reason: "stop" | "length" | "toolUse" } | { error: string };

export function endingOf(response: JsonObject, hasCalls: boolean): Ending {
  const { status, incomplete_details, error } = response;
  switch (status) {
    case "incomplete": {
      const reason = isObject(incomplete_details) ? incomplete_details["reason"] : undefined;
      if (reason === "max_output_tokens") return { reason: "length" };
      return {
        error: `the answer is incomplete: ${typeof reason === "string" ? reason : "no reason given"}`,
      };
    }
    case "failed":
      return { error: messageOf(error) };
    case "cancelled":
    case "queued":
    case "in_progress":
      return { error: `the response is ${String(status).replace("_", " ")}` };
    default:
      // `completed`, a missing status (some servers), or an unknown status in a final event.
      return { reason: hasCalls ? "toolUse" : "stop" };
  }
}

/** The message of `{code, message}`, or the code. */
export function messageOf(error: unknown): string {
  const { message, code } = isObject(error) ? error : {};
  if (typeof message === "string" && message !== "") return message;
  return typeof code === "string" ? code : "the provider reported an error without a message";
}

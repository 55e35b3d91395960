import type { AssistantMessage } from "../types.js";
import type { Api } from "./provider.js";

/** Whether an answer that failed is an error in the API too: some failures are answers to it, such as a refusal. */
export function isErrorReply(api: Pick<Api, "response" | "isError">, message: AssistantMessage): boolean {
  const body = api.response(message);
  return api.isError?.(body) ?? (body["error"] !== undefined && body["error"] !== null);
}

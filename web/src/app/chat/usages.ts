import type { RpcStored } from "dragoman/client";
import type { Usage } from "dragoman/core";

/** The number of answers that fit into the chart. */
const SHOWN = 40;

/** The usage of each of the last answers, without empty ones. */
export function usagesOf(entries: readonly RpcStored[]): Usage[] {
  return entries
    .flatMap(({ message }) => (message.role === "assistant" ? message.usage : []))
    .filter(({ totalTokens }) => totalTokens > 0)
    .slice(-SHOWN);
}

import type { RpcStored } from "dragoman/client";
import type { Usage } from "dragoman/core";

/** So many answers fit into the chart. */
const SHOWN = 40;

/** What each of the last answers took; those that took nothing are left out. */
export function usagesOf(entries: readonly RpcStored[]): Usage[] {
  return entries
    .flatMap(({ message }) => (message.role === "assistant" ? message.usage : []))
    .filter(({ totalTokens }) => totalTokens > 0)
    .slice(-SHOWN);
}

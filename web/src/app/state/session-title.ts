import type { RpcSessionInfo } from "dragoman/client";
import { visible } from "../../transcript/visible-text.js";

/** What a session is called: the title it was given, what was said first, or how it can be told from others. */
export function titleOf({ title, key }: Pick<RpcSessionInfo, "title" | "key">): string {
  const line = title?.replace(/\s+/g, " ").trim() ?? "";
  return visible(line === "" ? (key ?? "Untitled") : line);
}

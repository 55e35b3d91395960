import type { RpcSessionInfo } from "dragoman/client";
import { texts } from "../../text/texts.js";
import { visible } from "../../transcript/visible-text.js";

/** The session's title (its first message by default), or else its key. */
export function titleOf({ title, key }: Pick<RpcSessionInfo, "title" | "key">): string {
  const line = title?.replace(/\s+/g, " ").trim() ?? "";
  return visible(line === "" ? (key ?? texts.sideBar.untitled) : line);
}

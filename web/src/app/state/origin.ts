import type { RpcSessionInfo } from "dragoman/client";
import { texts } from "../../text/texts.js";

/** Sessions with these keys are started by clients of the gateway. */
const clients = ["rpc", "web", "acp", "main"];

/** Where a session comes from, unless it was started in this app. */
export interface Origin {
  /** `telegram`, or `claude-code`. */
  name: string;
  title: string;
  /** Whether a message of the session's agent is sent to a chat platform. */
  isChannel: boolean;
  /** The person or group there, by its id. */
  peer?: string;
}

/**
 * A session with the key `agent:main:telegram:dm:42` is a chat on Telegram; one with a `source` is another program's.
 *
 * @param titleOf the title of a chat platform or program, by its name
 */
export function originOf(
  { key, source }: Pick<RpcSessionInfo, "key" | "source">,
  titleOf: (name: string) => string,
): Origin | undefined {
  if (source !== undefined) return { name: source, title: titleOf(source), isChannel: false };
  const [, , name = "", kind = "", ...rest] = key?.split(":") ?? [];
  const peerKind = new Map(Object.entries(texts.sideBar.peers)).get(kind);
  if (peerKind === undefined || clients.includes(name)) return undefined;
  const peer = rest[0] === undefined ? {} : { peer: `${peerKind} ${decoded(rest[0])}`.trim() };
  return { name, title: titleOf(name), isChannel: true, ...peer };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

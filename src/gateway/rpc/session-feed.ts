import { HOME_SOURCE, type SessionSummary } from "../../log/catalogue/types.js";
import type { RpcSessionInfo } from "../../protocol/schema.js";
import type { Conversation } from "../../runtime/conversation.js";
import { SessionChanges } from "../session-changes.js";
import type { Gateway } from "../types.js";
import { frameOf } from "./subscriber.js";

/** Reports new, changed and busy sessions to subscribed clients. */
export class SessionFeed extends SessionChanges<Uint8Array> {
  constructor(gateway: Gateway) {
    super(gateway, sessionFrame);
  }
}

function sessionFrame(found: SessionSummary, running: Conversation | undefined): Uint8Array {
  const asking = running !== undefined && running.permissions.waiting > 0;
  return frameOf({
    event: "session",
    data: { session: sessionInfo(found), busy: running !== undefined, asking },
  });
}

/** Without paths on the server. */
export function sessionInfo({
  path: _,
  badLines: _lines,
  problem: _why,
  source,
  folder: _folder,
  ...summary
}: SessionSummary): RpcSessionInfo {
  const found = source === HOME_SOURCE ? {} : { source };
  return { sessionKey: summary.key ?? summary.id, ...summary, ...found };
}

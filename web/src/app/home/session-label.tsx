import type { RpcSessionInfo } from "dragoman/client";
import { visible } from "../../transcript/visible-text.js";
import { useConnected, useOriginTitle } from "../app-context.js";
import { originOf } from "../state/origin.js";
import { titleOf } from "../state/session-title.js";
import { useStore } from "../state/store.js";

/** The platform, program and agent of a session, as far as they are not the usual ones. */
export function OriginTags({ session, agent }: { session?: RpcSessionInfo | undefined; agent: string }) {
  const titleOf = useOriginTitle();
  const origin = session === undefined ? undefined : originOf(session, titleOf);
  return (
    <>
      {origin !== undefined && (
        <span className="tag" data-channel={origin.isChannel} title={visible(origin.peer ?? origin.title)}>
          {visible(origin.title)}
        </span>
      )}
      {agent !== "main" && <span className="tag">{visible(agent)}</span>}
    </>
  );
}

/** A listed session's title and where it comes from. */
export function SessionLabel({ id, agent }: { id: string; agent: string }) {
  const { app } = useConnected();
  const session = useStore(app.list).sessions.get(id);
  return (
    <span className="session-label">
      <bdi className="one-line">{titleOf(session ?? {})}</bdi>
      <OriginTags session={session} agent={agent} />
    </span>
  );
}

import type { RpcSessionInfo } from "dragoman/client";
import { useEffect, useRef } from "react";
import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";
import { titleOf } from "../state/session-title.js";

/** Enter saves the title, Escape cancels; an empty title restores the default one. */
export function RenameField({ session, onDone }: { session: RpcSessionInfo; onDone: () => void }) {
  const { app } = useConnected();
  const field = useRef<HTMLInputElement>(null);
  const isDone = useRef(false);
  useEffect(() => field.current?.select(), []);

  const finish = (title: string | undefined) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone();
    if (title === undefined || title === titleOf(session)) return;
    void app.attempt(() => app.rename(session.id, title));
  };

  return (
    <input
      ref={field}
      className="rename"
      aria-label={texts.sideBar.title}
      defaultValue={titleOf(session)}
      onBlur={(event) => finish(event.target.value.trim())}
      onKeyDown={(event) => {
        if (event.key === "Enter") finish(event.currentTarget.value.trim());
        if (event.key !== "Escape") return;
        event.stopPropagation();
        finish(undefined);
      }}
    />
  );
}

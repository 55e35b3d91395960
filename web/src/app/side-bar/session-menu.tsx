import type { RpcSessionInfo } from "dragoman/client";
import { useState } from "react";
import { useConnected, useMay } from "../app-context.js";
import { Icon } from "../controls/icon.js";
import { Menu, type MenuItem } from "../controls/menu.js";
import { titleOf } from "../state/session-title.js";
import { ExportDialog } from "./export-dialog.js";

/** What can be done with a session. */
export function SessionMenu({ session, onRename }: { session: RpcSessionInfo; onRename: () => void }) {
  const { app } = useConnected();
  const may = useMay();
  const [isExporting, setExporting] = useState(false);
  const { id, archived, foreign } = session;
  const attempt = (work: () => Promise<void>) => () => void app.attempt(work);
  const items: [method: string, item: MenuItem][] = [
    ["sessions.rename", { label: "Rename", icon: "edit", onChoose: onRename }],
    ["sessions.fork", { label: "Fork", icon: "fork", onChoose: attempt(() => app.fork(id)) }],
    ["sessions.export", { label: "Export…", icon: "export", onChoose: () => setExporting(true) }],
    [
      "sessions.archive",
      {
        label: archived ? "Take back from the archive" : "Archive",
        icon: "archive",
        onChoose: attempt(() => app.archive(id, !archived)),
      },
    ],
  ];
  return (
    <>
      <Menu
        label={`Menu of ${titleOf(session)}`}
        className="icon-button session-menu"
        items={items.flatMap(([method, item]) => (may(method) && !foreign ? [item] : []))}
        isDisabled={foreign}
      >
        <Icon name="more" />
      </Menu>
      {isExporting && <ExportDialog session={session} onClose={() => setExporting(false)} />}
    </>
  );
}

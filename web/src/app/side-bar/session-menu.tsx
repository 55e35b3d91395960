import type { RpcSessionInfo } from "dragoman/client";
import { useState } from "react";
import { Icon } from "../../theme/icon.js";
import { Menu, type MenuItem } from "../../theme/menu.js";
import { useConnected, useMay } from "../app-context.js";
import { titleOf } from "../state/session-title.js";
import { openInViewer } from "../viewer-link.js";
import { ExportDialog } from "./export-dialog.js";

/** The actions on a session. */
export function SessionMenu({ session, onRename }: { session: RpcSessionInfo; onRename: () => void }) {
  const { app } = useConnected();
  const may = useMay();
  const [isExporting, setExporting] = useState(false);
  const { id, archived, foreign } = session;
  const attempt = (work: () => Promise<void>) => () => void app.attempt(work);
  const reading: [method: string, item: MenuItem][] = [
    ["sessions.export", { label: "Open in viewer", icon: "view", choose: () => openInViewer(id) }],
    ["sessions.export", { label: "Export…", icon: "export", choose: () => setExporting(true) }],
  ];
  const changes: typeof reading = [
    ["sessions.rename", { label: "Rename", icon: "edit", choose: onRename }],
    ["sessions.fork", { label: "Fork", icon: "fork", choose: attempt(() => app.fork(id)) }],
    [
      "sessions.archive",
      {
        label: archived ? "Unarchive" : "Archive",
        icon: "archive",
        choose: attempt(() => app.archive(id, !archived)),
      },
    ],
  ];
  // Sessions of other programs are never changed.
  const items = foreign ? reading : [...changes, ...reading];
  return (
    <>
      <Menu
        label={`Menu for ${titleOf(session)}`}
        className="icon-button session-menu"
        items={items.flatMap(([method, item]) => (may(method) ? [item] : []))}
        button={<Icon name="more" />}
      />
      <ExportDialog session={session} open={isExporting} onClose={() => setExporting(false)} />
    </>
  );
}

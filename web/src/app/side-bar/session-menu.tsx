import type { RpcSessionInfo } from "dragoman/client";
import { useState } from "react";
import { Icon } from "../../theme/icon.js";
import { Menu, type MenuItem } from "../../theme/menu.js";
import { useConnected, useMay } from "../app-context.js";
import { titleOf } from "../state/session-title.js";
import { openInViewer } from "../viewer-link.js";
import { ExportDialog } from "./export-dialog.js";

/** What can be done with a session. */
export function SessionMenu({ session, onRename }: { session: RpcSessionInfo; onRename: () => void }) {
  const { app } = useConnected();
  const may = useMay();
  const [isExporting, setExporting] = useState(false);
  const { id, archived, foreign } = session;
  const attempt = (work: () => Promise<void>) => () => void app.attempt(work);
  const looks: [method: string, item: MenuItem][] = [
    ["sessions.export", { label: "Open in viewer", icon: "view", choose: () => openInViewer(id) }],
    ["sessions.export", { label: "Export…", icon: "export", choose: () => setExporting(true) }],
  ];
  const changes: typeof looks = [
    ["sessions.rename", { label: "Rename", icon: "edit", choose: onRename }],
    ["sessions.fork", { label: "Fork", icon: "fork", choose: attempt(() => app.fork(id)) }],
    [
      "sessions.archive",
      {
        label: archived ? "Take back from the archive" : "Archive",
        icon: "archive",
        choose: attempt(() => app.archive(id, !archived)),
      },
    ],
  ];
  // What another program wrote is never changed.
  const items = foreign ? looks : [...changes, ...looks];
  return (
    <>
      <Menu
        label={`Menu of ${titleOf(session)}`}
        className="icon-button session-menu"
        items={items.flatMap(([method, item]) => (may(method) ? [item] : []))}
        button={<Icon name="more" />}
      />
      <ExportDialog session={session} open={isExporting} onClose={() => setExporting(false)} />
    </>
  );
}

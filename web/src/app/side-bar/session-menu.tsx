import type { RpcSessionInfo } from "dragoman/client";
import { useState } from "react";
import { texts } from "../../text/texts.js";
import { Icon } from "../../theme/icon.js";
import { Menu, type MenuItem } from "../../theme/menu.js";
import { useConnected, useMay } from "../app-context.js";
import { titleOf } from "../state/session-title.js";
import { openInViewer } from "../viewer-link.js";
import { ExportDialog } from "./export-dialog.js";

/** The actions on a session. */
export function SessionMenu({ session, onRename }: { session: RpcSessionInfo; onRename: () => void }) {
  const t = texts.sideBar.actions;
  const { app } = useConnected();
  const may = useMay();
  const [isExporting, setExporting] = useState(false);
  const { id, archived, foreign } = session;
  const attempt = (work: () => Promise<void>) => () => void app.attempt(work);
  const reading: [method: string, item: MenuItem][] = [
    ["sessions.export", { label: t.openInViewer, icon: "view", choose: () => openInViewer(id) }],
    ["sessions.export", { label: t.export, icon: "export", choose: () => setExporting(true) }],
  ];
  const changes: typeof reading = [
    ["sessions.rename", { label: t.rename, icon: "edit", choose: onRename }],
    ["sessions.fork", { label: t.fork, icon: "fork", choose: attempt(() => app.fork(id)) }],
    [
      "sessions.archive",
      {
        label: archived ? t.unarchive : t.archive,
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
        label={texts.sideBar.menuFor(titleOf(session))}
        className="icon-button session-menu"
        items={items.flatMap(([method, item]) => (may(method) ? [item] : []))}
        button={<Icon name="more" />}
      />
      <ExportDialog session={session} open={isExporting} onClose={() => setExporting(false)} />
    </>
  );
}

import type { RpcSessionInfo } from "dragoman/client";
import { useState } from "react";
import { Icon } from "../../theme/icon.js";
import { Menu, type MenuItem } from "../../theme/menu.js";
import { useConnected, useMay } from "../app-context.js";
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
    ["sessions.rename", { label: "Rename", icon: "edit", choose: onRename }],
    ["sessions.fork", { label: "Fork", icon: "fork", choose: attempt(() => app.fork(id)) }],
    ["sessions.export", { label: "Export…", icon: "export", choose: () => setExporting(true) }],
    [
      "sessions.archive",
      {
        label: archived ? "Take back from the archive" : "Archive",
        icon: "archive",
        choose: attempt(() => app.archive(id, !archived)),
      },
    ],
  ];
  return (
    <>
      <Menu
        label={`Menu of ${titleOf(session)}`}
        className="icon-button session-menu"
        items={items.flatMap(([method, item]) => (may(method) && !foreign ? [item] : []))}
        disabled={foreign}
        button={<Icon name="more" />}
      />
      <ExportDialog session={session} open={isExporting} onClose={() => setExporting(false)} />
    </>
  );
}

import type { RpcSessionInfo } from "dragoman/client";
import { useState } from "react";
import { texts } from "../../text/texts.js";
import { Icon } from "../../theme/icon.js";
import { Menu, type MenuItem } from "../../theme/menu.js";
import { useConnected, useMay } from "../app-context.js";
import { titleOf } from "../state/session-title.js";
import { openInViewer } from "../viewer-link.js";
import { ContinueDialog, ExportDialog, ShareDialog } from "./lazy-dialogs.js";

type Offer = [method: string, item: MenuItem];

/** The actions on a session. Without `onRename` its title cannot be changed here. */
export function SessionMenu({ session, onRename }: { session: RpcSessionInfo; onRename?: () => void }) {
  const t = texts.sideBar.actions;
  const { app } = useConnected();
  const may = useMay();
  const [dialog, setDialog] = useState<"export" | "continue" | "share">();
  const { id, source, archived, foreign } = session;
  const attempt = (work: () => Promise<void>) => () => void app.attempt(work);
  const close = () => setDialog(undefined);
  const reading: Offer[] = [
    ["sessions.export", { label: t.openInViewer, icon: "view", choose: () => openInViewer(id, source) }],
    [
      "sessions.continue",
      { label: texts.transfer.continueIn, icon: "send", choose: () => setDialog("continue") },
    ],
    ["sessions.export", { label: t.export, icon: "export", choose: () => setDialog("export") }],
  ];
  const rename: Offer[] =
    onRename === undefined ? [] : [["sessions.rename", { label: t.rename, icon: "edit", choose: onRename }]];
  const changes: Offer[] = [
    ...rename,
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
  const own: Offer[] = [
    ["tokens.create", { label: t.share, icon: "share", choose: () => setDialog("share") }],
    ["chat.history", { label: t.print, icon: "print", choose: () => app.print(id) }],
  ];
  // Sessions of other programs are never changed.
  const items = foreign ? reading : [...changes, ...reading, ...own];
  return (
    <>
      <Menu
        label={texts.sideBar.menuFor(titleOf(session))}
        className="icon-button session-menu"
        items={items.flatMap(([method, item]) => (may(method) ? [item] : []))}
        button={<Icon name="more" />}
      />
      <ExportDialog session={session} open={dialog === "export"} onClose={close} />
      <ContinueDialog session={session} open={dialog === "continue"} onClose={close} />
      <ShareDialog session={session} open={dialog === "share"} onClose={close} />
    </>
  );
}

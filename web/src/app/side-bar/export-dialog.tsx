import type { Result, RpcSessionInfo } from "dragoman/client";
import { useEffect, useState } from "react";
import { texts } from "../../text/texts.js";
import { Dialog } from "../../theme/dialog.js";
import { download } from "../../theme/download.js";
import { useConnected } from "../app-context.js";
import { errorText } from "../state/plain-words.js";
import { titleOf } from "../state/session-title.js";

type Dialects = Result<"dialects.list">["dialects"];

interface ExportDialogProps {
  session: RpcSessionInfo;
  open: boolean;
  onClose(): void;
}

/** Downloads a session in any dialect and reports what was lost. */
export function ExportDialog({ session, open, onClose }: ExportDialogProps) {
  const { client } = useConnected();
  const [dialects, setDialects] = useState<Dialects>([]);
  const [status, setStatus] = useState("");

  useEffect(() => {
    if (!open) return;
    setStatus("");
    client.call("dialects.list", {}).then(
      ({ dialects: all }) => setDialects(all.filter(({ writes }) => writes)),
      (error: unknown) => setStatus(errorText(error)),
    );
  }, [client, open]);

  const save = async ({ name: dialect, extension }: Dialects[number]) => {
    setStatus("");
    try {
      const { text, losses } = await client.call("sessions.export", { sessionKey: session.id, dialect });
      download(`${session.id}.${dialect}.${extension}`, text);
      const [first] = losses;
      setStatus(
        first === undefined
          ? texts.sideBar.exported
          : texts.sideBar.exportedWithLosses(losses.length, first.what, first.why),
      );
    } catch (error) {
      setStatus(errorText(error));
    }
  };

  return (
    <Dialog title={texts.sideBar.exportTitle(titleOf(session))} open={open} onClose={onClose}>
      <ul className="dialects">
        {dialects.map((dialect) => (
          <li key={dialect.name}>
            <button type="button" onClick={() => void save(dialect)}>
              <span>{dialect.title}</span>
              <code>{dialect.name}</code>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="export-status">
        {status}
      </p>
    </Dialog>
  );
}

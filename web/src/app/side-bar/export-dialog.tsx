import type { Result, RpcSessionInfo } from "dragoman/client";
import { useEffect, useState } from "react";
import { Dialog } from "../../theme/dialog.js";
import { useConnected } from "../app-context.js";
import { download } from "../download.js";
import { plainWords } from "../state/plain-words.js";
import { titleOf } from "../state/session-title.js";

type Dialects = Result<"dialects.list">["dialects"];

interface ExportDialogProps {
  session: RpcSessionInfo;
  open: boolean;
  onClose(): void;
}

/** Downloads a session as a file of any dialect, and says what that dialect could not carry. */
export function ExportDialog({ session, open, onClose }: ExportDialogProps) {
  const { client } = useConnected();
  const [dialects, setDialects] = useState<Dialects>([]);
  const [told, setTold] = useState("");

  useEffect(() => {
    if (!open) return;
    setTold("");
    client.call("dialects.list", {}).then(
      ({ dialects: all }) => setDialects(all.filter(({ writes }) => writes)),
      (error: unknown) => setTold(plainWords(error)),
    );
  }, [client, open]);

  const save = async (dialect: string) => {
    setTold("");
    try {
      const { text, losses } = await client.call("sessions.export", { sessionKey: session.id, dialect });
      const isLines = text.trimEnd().includes("\n{");
      download(`${session.id}.${dialect}.${isLines ? "jsonl" : "json"}`, text);
      const [first] = losses;
      setTold(
        first === undefined
          ? "Saved. Nothing was lost."
          : `Saved. ${losses.length} ${losses.length === 1 ? "thing has" : "things have"} no place in ${dialect}, for example: ${first.what} (${first.why}).`,
      );
    } catch (error) {
      setTold(plainWords(error));
    }
  };

  return (
    <Dialog title={`Export “${titleOf(session)}”`} open={open} onClose={onClose}>
      <ul className="dialects">
        {dialects.map(({ name, title }) => (
          <li key={name}>
            <button type="button" onClick={() => void save(name)}>
              <span>{title}</span>
              <code>{name}</code>
            </button>
          </li>
        ))}
      </ul>
      <p role="status" className="export-told">
        {told}
      </p>
    </Dialog>
  );
}

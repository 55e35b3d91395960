import type { Result } from "dragoman/client";
import { type FormEvent, useEffect, useState } from "react";
import { texts } from "../../text/texts.js";
import { Dialog } from "../../theme/dialog.js";
import { download } from "../../theme/download.js";
import { useConnected } from "../app-context.js";
import { errorText } from "../state/plain-words.js";
import { titleOf } from "../state/session-title.js";
import { DialogEnd } from "./dialog-end.js";
import type { SessionDialogProps } from "./lazy-dialogs.js";
import { LossList } from "./loss-list.js";
import "./dialogs.css";

type Dialect = Result<"dialects.list">["dialects"][number];
type Exported = Result<"sessions.export">;

/** The formats that people read come first. */
const READ_BY_PEOPLE = ["markdown", "html"];

/** Saves a session in any format, after showing what is lost in it. */
export function ExportDialog({ session, onClose }: SessionDialogProps) {
  const t = texts.transfer;
  const { client } = useConnected();
  const [dialects, setDialects] = useState<readonly Dialect[]>([]);
  const [chosen, setChosen] = useState<string>();
  const [exported, setExported] = useState<Exported>();
  const [problem, setProblem] = useState<string>();
  const { id, source } = session;

  useEffect(() => {
    client.call("dialects.list", {}).then(
      ({ dialects: all }) => {
        const written = all.filter(({ writes }) => writes);
        const isForPeople = ({ name }: Dialect) => READ_BY_PEOPLE.includes(name);
        setDialects([...written.filter(isForPeople), ...written.filter((one) => !isForPeople(one))]);
        setChosen(READ_BY_PEOPLE[0]);
      },
      (error: unknown) => setProblem(errorText(error)),
    );
  }, [client]);

  useEffect(() => {
    if (chosen === undefined) return;
    let isCurrent = true;
    setExported(undefined);
    setProblem(undefined);
    const named = { sessionKey: id, ...(source === undefined ? {} : { source }) };
    client.call("sessions.export", { ...named, dialect: chosen }).then(
      (found) => isCurrent && setExported(found),
      (error: unknown) => isCurrent && setProblem(errorText(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, id, source, chosen]);

  const save = (event: FormEvent) => {
    event.preventDefault();
    if (exported === undefined) return;
    const { dialect, text } = exported;
    const extension = dialects.find(({ name }) => name === dialect)?.extension ?? "txt";
    download(`${id}.${dialect}.${extension}`, text);
    onClose();
  };

  return (
    <Dialog className="wide" title={t.exportTitle(titleOf(session))} open onClose={onClose}>
      <form className="dialog-form" onSubmit={save}>
        <label>
          {t.format}
          <select className="field" value={chosen ?? ""} onChange={(event) => setChosen(event.target.value)}>
            {dialects.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        {exported !== undefined ? (
          <LossList kinds={exported.kinds} />
        ) : (
          problem === undefined && <p role="status">{texts.controls.loading}</p>
        )}
        <DialogEnd
          problem={problem}
          onLeave={onClose}
          submit={t.download}
          isDisabled={exported === undefined}
        />
      </form>
    </Dialog>
  );
}

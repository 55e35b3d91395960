import type { Result } from "dragoman/client";
import { type FormEvent, useEffect, useState } from "react";
import { texts } from "../../text/texts.js";
import { CopyButton } from "../../theme/copy-button.js";
import { Dialog } from "../../theme/dialog.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import { errorText } from "../state/plain-words.js";
import { titleOf } from "../state/session-title.js";
import { DialogEnd } from "./dialog-end.js";
import type { SessionDialogProps } from "./lazy-dialogs.js";
import { LossList } from "./loss-list.js";
import "./dialogs.css";

type Program = Result<"programs.list">["programs"][number];
type Outcome = Result<"sessions.continue">;

/** The program whose sessions this page shows. */
const HERE = "dragoman";

/** Continues a session in another program: shows what it loses there, writes it, and shows the command that opens it. */
export function ContinueDialog({ session, onClose }: SessionDialogProps) {
  const t = texts.transfer;
  const { app, client } = useConnected();
  const [programs, setPrograms] = useState<readonly Program[]>([]);
  const [program, setProgram] = useState<string>();
  const [folder, setFolder] = useState("");
  const [preview, setPreview] = useState<Outcome>();
  const [written, setWritten] = useState<Outcome>();
  const [problem, setProblem] = useState<string>();
  const [isWriting, setWriting] = useState(false);
  const isForeign = session.foreign;

  useEffect(() => {
    client.call("programs.list", {}).then(
      ({ programs: all }) => {
        const offered = all.filter(({ name }) => name !== (isForeign ? session.source : HERE));
        setPrograms(offered);
        setProgram(
          (isForeign ? offered.find(({ name }) => name === HERE) : undefined)?.name ?? offered[0]?.name,
        );
      },
      (error: unknown) => setProblem(errorText(error)),
    );
  }, [client, isForeign, session.source]);

  const request = {
    sessionKey: session.id,
    ...(session.source === undefined ? {} : { source: session.source }),
    program: program ?? "",
    ...(folder.trim() === "" ? {} : { folder: folder.trim() }),
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the folder is checked when the session is written
  useEffect(() => {
    if (program === undefined) return;
    let isCurrent = true;
    setPreview(undefined);
    setProblem(undefined);
    client.call("sessions.continue", { ...request, dryRun: true }).then(
      (found) => isCurrent && setPreview(found),
      (error: unknown) => isCurrent && setProblem(errorText(error)),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, program, session.id]);

  const write = async (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    setWriting(true);
    try {
      const outcome = await client.call("sessions.continue", request);
      if (program === HERE) {
        onClose();
        app.world.go({ page: "session", id: outcome.session });
      } else setWritten(outcome);
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setWriting(false);
    }
  };
  const programTitle = programs.find(({ name }) => name === program)?.title ?? "";

  return (
    <Dialog className="wide" title={t.continueTitle(titleOf(session))} open onClose={onClose}>
      {written === undefined ? (
        <form className="dialog-form" onSubmit={(event) => void write(event)}>
          <label>
            {t.program}
            <select
              className="field"
              value={program ?? ""}
              onChange={(event) => setProgram(event.target.value)}
            >
              {programs.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          {program !== HERE && (
            <label>
              {t.folder}
              <input
                className="field"
                value={folder}
                placeholder={preview?.folder ?? ""}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setFolder(event.target.value)}
              />
            </label>
          )}
          {preview?.missing !== undefined && (
            <p className="dialog-note">{t.missingFolder(visible(preview.missing))}</p>
          )}
          {preview === undefined ? (
            problem === undefined && <p role="status">{texts.controls.loading}</p>
          ) : (
            <>
              <LossList kinds={preview.losses} />
              <p className="dialog-note">{program === HERE ? t.copiesHere : t.writes(programTitle)}</p>
            </>
          )}
          <DialogEnd
            problem={problem}
            onLeave={onClose}
            submit={t.continue}
            isDisabled={preview === undefined || isWriting}
          />
        </form>
      ) : (
        <div className="dialog-form" role="status">
          <p>{t.written(written.messages, programTitle)}</p>
          <p className="dialog-code">
            <code>{written.command}</code>
            <CopyButton text={() => written.command} />
          </p>
          {written.path !== undefined && <p className="dialog-note">{visible(written.path)}</p>}
          <span className="dialog-buttons">
            <button type="button" className="button-primary" onClick={onClose}>
              {texts.controls.close}
            </button>
          </span>
        </div>
      )}
    </Dialog>
  );
}

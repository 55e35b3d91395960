import type { Result } from "dragoman/client";
import { type FormEvent, useCallback, useEffect, useState } from "react";
import { texts } from "../../text/texts.js";
import { CopyButton } from "../../theme/copy-button.js";
import { Dialog } from "../../theme/dialog.js";
import { moment } from "../../transcript/dates.js";
import { useConnected } from "../app-context.js";
import { errorText } from "../state/plain-words.js";
import { titleOf } from "../state/session-title.js";
import { DialogEnd } from "./dialog-end.js";
import type { SessionDialogProps } from "./lazy-dialogs.js";
import "./dialogs.css";

type Token = Result<"tokens.list">["tokens"][number];

const HOUR_MS = 3_600_000;
const HOURS = [1, 24, 24 * 7, 24 * 30];
const NAME_CHARS = 64;

/** Creates a link with which others read a session, and revokes earlier ones. */
export function ShareDialog({ session, onClose }: SessionDialogProps) {
  const t = texts.share;
  const { app, client } = useConnected();
  const [hours, setHours] = useState(24);
  const [link, setLink] = useState<string>();
  const [shares, setShares] = useState<readonly Token[]>([]);
  const [problem, setProblem] = useState<string>();
  const load = useCallback(async () => {
    const { tokens } = await client.call("tokens.list", {});
    setShares(tokens.filter((token) => token.session === session.id));
  }, [client, session.id]);
  useEffect(() => {
    load().catch((error: unknown) => setProblem(errorText(error)));
  }, [load]);

  const attempt = async (work: () => Promise<void>) => {
    setProblem(undefined);
    await work().catch((error: unknown) => setProblem(errorText(error)));
  };
  const create = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const expires = app.world.now() + hours * HOUR_MS;
      const name = t
        .tokenName(titleOf(session))
        .replace(/[\p{Cc}]/gu, " ")
        .slice(0, NAME_CHARS);
      const { secret } = await client.call("tokens.create", {
        name,
        scope: "read",
        session: session.id,
        expires,
      });
      setLink(`${location.origin}/#share=${secret}`);
      await load();
    });
  };
  const revoke = (id: string) =>
    void attempt(async () => {
      await client.call("tokens.revoke", { id });
      setLink(undefined);
      await load();
    });
  const isLocal = /^(localhost|127\.|\[::1\])/.test(location.hostname);

  return (
    <Dialog title={t.title(titleOf(session))} open onClose={onClose}>
      <form className="dialog-form" onSubmit={create}>
        <p className="dialog-note">{t.note}</p>
        {isLocal && <p className="dialog-note">{t.localOnly}</p>}
        <label>
          {t.expires}
          <select className="field" value={hours} onChange={(event) => setHours(Number(event.target.value))}>
            {HOURS.map((value) => (
              <option key={value} value={value}>
                {value < 24 ? t.hours(value) : t.days(value / 24)}
              </option>
            ))}
          </select>
        </label>
        {link !== undefined && (
          <p className="dialog-code" role="status">
            <code>{link}</code>
            <CopyButton text={() => link} />
          </p>
        )}
        {shares.length > 0 && (
          <ul className="share-list" aria-label={t.links}>
            {shares.map(({ id, created, expires }) => (
              <li key={id}>
                <span className="dialog-note">
                  {t.link(moment(created), expires === undefined ? "" : moment(expires))}
                </span>
                <button type="button" className="button-quiet" onClick={() => revoke(id)}>
                  {texts.settings.tokens.revoke}
                </button>
              </li>
            ))}
          </ul>
        )}
        <DialogEnd problem={problem} leave={texts.controls.close} onLeave={onClose} submit={t.create} />
      </form>
    </Dialog>
  );
}

import { type FormEvent, useId, useState } from "react";
import { RichText } from "../../text/rich-text.js";
import { texts } from "../../text/texts.js";
import { CopyButton } from "../../theme/copy-button.js";
import { ago, day } from "../../transcript/dates.js";
import { dollars, listed } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import { problemOf, type Token } from "../state/settings.js";
import { useSettings } from "./settings-context.js";

/** The tokens of programs and other browsers. */
export function TokenSettings() {
  const { app, client } = useConnected();
  const { store, settings } = useSettings();
  const revoke = (id: string) =>
    void app.attempt(async () => {
      await client.call("tokens.revoke", { id });
      await store.load();
    });
  return (
    <>
      <ul className="settings-rows">
        {settings.tokens.map((token) => (
          <li key={token.id} className="settings-row">
            <strong>
              <bdi>{visible(token.name)}</bdi>
            </strong>
            <span className="settings-row-state">{describe(token, app.world.now())}</span>
            <span className="setting-buttons">
              <button type="button" className="button" onClick={() => revoke(token.id)}>
                {texts.settings.tokens.revoke}
              </button>
            </span>
          </li>
        ))}
      </ul>
      <CreateToken />
    </>
  );
}

function describe(
  { scope, created, expires, agents, session, budget, lastUsed }: Token,
  now: number,
): string {
  const t = texts.settings.tokens;
  return [
    scope,
    ...(agents === undefined ? [] : [t.agents(listed(agents.map(visible)))]),
    ...(session === undefined ? [] : [t.session]),
    ...(budget === undefined ? [] : [t.budget[budget.per](dollars(budget.dollars))]),
    t.created(day(created)),
    ...(expires === undefined ? [] : [t.expires(day(expires))]),
    lastUsed === undefined ? t.neverUsed : t.lastUsed(ago(lastUsed, now)),
  ].join(" · ");
}

const DAY_MS = 86_400_000;

function CreateToken() {
  const t = texts.settings.tokens;
  const { app, client } = useConnected();
  const { store } = useSettings();
  const [secret, setSecret] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [name, scope, budget, expires] = [useId(), useId(), useId(), useId()];
  const create = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const [amount, days] = [Number(form.get("budget")), Number(form.get("expires"))];
    const chosen = form.get("scope");
    try {
      const created = await client.call("tokens.create", {
        name: String(form.get("name")),
        scope: chosen === "admin" || chosen === "chat" ? chosen : "read",
        ...(amount > 0 ? { budget: { dollars: amount, per: "month" } } : {}),
        ...(days > 0 ? { expires: app.world.now() + days * DAY_MS } : {}),
      });
      setSecret(created.secret);
      setProblem(undefined);
      element.reset();
      await store.load();
    } catch (error) {
      setProblem(problemOf(error).text);
    }
  };
  return (
    <form className="settings-form" onSubmit={(event) => void create(event)}>
      <h3>{t.create}</h3>
      <div className="setting">
        <label htmlFor={name}>{texts.settings.name}</label>
        <input id={name} name="name" className="field" required maxLength={64} autoComplete="off" />
      </div>
      <div className="setting">
        <label htmlFor={scope}>{t.scope}</label>
        <select id={scope} name="scope" className="field" defaultValue="chat">
          {Object.entries(t.scopes).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className="setting">
        <label htmlFor={budget}>{t.dollars}</label>
        <input id={budget} name="budget" className="field" inputMode="decimal" placeholder={t.unlimited} />
      </div>
      <div className="setting">
        <label htmlFor={expires}>{t.days}</label>
        <input id={expires} name="expires" className="field" inputMode="numeric" placeholder={t.never} />
      </div>
      {problem !== undefined && (
        <p className="setting-problem" role="alert">
          {problem}
        </p>
      )}
      <span className="setting-buttons">
        <button type="submit" className="button-primary">
          {texts.controls.create}
        </button>
      </span>
      {secret !== undefined && (
        <p className="new-secret" role="status">
          <RichText text={t.copyNow} secret={<code>{secret}</code>} /> <CopyButton text={() => secret} />
        </p>
      )}
    </form>
  );
}

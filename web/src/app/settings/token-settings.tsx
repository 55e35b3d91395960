import { type FormEvent, useId, useState } from "react";
import { CopyButton } from "../../theme/copy-button.js";
import { ago, day } from "../../transcript/dates.js";
import { dollars } from "../../transcript/numbers.js";
import { visible } from "../../transcript/visible-text.js";
import { useConnected } from "../app-context.js";
import { problemOf, type Token } from "../state/settings.js";
import { useSettings } from "./settings-context.js";

const scopes = {
  read: "read: shows conversations",
  chat: "chat: also sends messages",
  admin: "admin: everything, also these settings",
};

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
                Revoke
              </button>
            </span>
          </li>
        ))}
      </ul>
      <CreateToken />
    </>
  );
}

function describe({ scope, created, expires, agents, budget, lastUsed }: Token, now: number): string {
  return [
    scope,
    ...(agents === undefined ? [] : [`agents ${agents.map(visible).join(", ")}`]),
    ...(budget === undefined ? [] : [`${dollars(budget.dollars)} per ${budget.per}`]),
    `created ${day(created)}`,
    ...(expires === undefined ? [] : [`expires ${day(expires)}`]),
    lastUsed === undefined ? "never used" : `last used ${ago(lastUsed, now)}`,
  ].join(" · ");
}

const DAY_MS = 86_400_000;

function CreateToken() {
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
      <h3>Create a token</h3>
      <div className="setting">
        <label htmlFor={name}>Name</label>
        <input id={name} name="name" className="field" required maxLength={64} autoComplete="off" />
      </div>
      <div className="setting">
        <label htmlFor={scope}>Scope</label>
        <select id={scope} name="scope" className="field" defaultValue="chat">
          {Object.entries(scopes).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div className="setting">
        <label htmlFor={budget}>Dollars per month</label>
        <input id={budget} name="budget" className="field" inputMode="decimal" placeholder="Unlimited" />
      </div>
      <div className="setting">
        <label htmlFor={expires}>Days until it expires</label>
        <input id={expires} name="expires" className="field" inputMode="numeric" placeholder="Never" />
      </div>
      {problem !== undefined && (
        <p className="setting-problem" role="alert">
          {problem}
        </p>
      )}
      <span className="setting-buttons">
        <button type="submit" className="button-primary">
          Create
        </button>
      </span>
      {secret !== undefined && (
        <p className="new-secret" role="status">
          Copy it now; it is not shown again: <code>{secret}</code> <CopyButton text={() => secret} />
        </p>
      )}
    </form>
  );
}

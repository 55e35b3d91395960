import { useId, useState } from "react";
import { RichText } from "../text/rich-text.js";
import { texts } from "../text/texts.js";
import type { SignInReason } from "./state/gateway-link.js";

interface SignInProps {
  why?: SignInReason;
  onToken(token: string, where: "this-tab" | "all-tabs"): void;
}

/** For users who opened the page without the printed link, or with an expired one. */
export function SignIn({ why, onToken }: SignInProps) {
  const t = texts.shell.signIn;
  const [token, setToken] = useState("");
  const [isRemembered, setRemembered] = useState(false);
  const [field, reason] = [useId(), useId()];
  return (
    <main className="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") onToken(token.trim(), isRemembered ? "all-tabs" : "this-tab");
        }}
      >
        <h1>Dragoman</h1>
        {why !== undefined && (
          <p className="sign-in-why" id={reason} role="alert">
            {t.reasons[why]}
          </p>
        )}
        <p>
          <RichText text={t.note} />
        </p>
        <label htmlFor={field}>{t.token}</label>
        <input
          id={field}
          className="field"
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder="dgm_…"
          value={token}
          aria-describedby={why === undefined ? undefined : reason}
          onChange={(event) => setToken(event.target.value)}
        />
        <label className="check">
          <input
            type="checkbox"
            checked={isRemembered}
            onChange={(event) => setRemembered(event.target.checked)}
          />
          {t.remember}
        </label>
        <button type="submit" className="button-primary" disabled={token.trim() === ""}>
          {t.connect}
        </button>
      </form>
    </main>
  );
}

import { useId, useState } from "react";

interface SignInProps {
  why?: string;
  onToken(token: string, where: "this-tab" | "all-tabs"): void;
}

/** For users who opened the page without the printed link, or with an expired one. */
export function SignIn({ why, onToken }: SignInProps) {
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
            {why}
          </p>
        )}
        <p>
          Open the link printed by <code>dragoman serve</code>, or paste a token from{" "}
          <code>dragoman token create</code>.
        </p>
        <label htmlFor={field}>Token</label>
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
          Remember in this browser, for all tabs
        </label>
        <button type="submit" className="button-primary" disabled={token.trim() === ""}>
          Connect
        </button>
      </form>
    </main>
  );
}

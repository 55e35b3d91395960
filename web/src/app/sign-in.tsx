import { useId, useState } from "react";

interface SignInProps {
  why?: string;
  onToken(token: string, where: "this-tab" | "all-tabs"): void;
}

/** For those who came without the printed link, or with one that is no longer good. */
export function SignIn({ why, onToken }: SignInProps) {
  const [token, setToken] = useState("");
  const [isKept, setKept] = useState(false);
  const [field, reason] = [useId(), useId()];
  return (
    <main className="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (token.trim() !== "") onToken(token.trim(), isKept ? "all-tabs" : "this-tab");
        }}
      >
        <h1>Dragoman</h1>
        {why !== undefined && (
          <p className="sign-in-why" id={reason} role="alert">
            {why}
          </p>
        )}
        <p>
          Open the link that <code>dragoman serve</code> has printed, or paste a token.{" "}
          <code>dragoman token create</code> makes one.
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
          <input type="checkbox" checked={isKept} onChange={(event) => setKept(event.target.checked)} />
          Keep it in this browser, for all tabs
        </label>
        <button type="submit" className="button-primary" disabled={token.trim() === ""}>
          Connect
        </button>
      </form>
    </main>
  );
}

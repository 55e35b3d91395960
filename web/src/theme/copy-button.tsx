import { useEffect, useState } from "react";
import { copyText } from "./copy-text.js";

/** Copies the text and briefly confirms it. */
export function CopyButton({ text }: { text: () => string }) {
  const [outcome, setOutcome] = useState<"Copied" | "Copy failed">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), 1500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(text())) ? "Copied" : "Copy failed");
  return (
    <button type="button" className="button-quiet copy-button" onClick={copy} aria-live="polite">
      {outcome ?? "Copy"}
    </button>
  );
}

import { useEffect, useState } from "react";
import { texts } from "../text/texts.js";
import { copyText } from "./copy-text.js";

/** Copies the text and briefly confirms it. */
export function CopyButton({ text }: { text: () => string }) {
  const [outcome, setOutcome] = useState<"copied" | "copyFailed">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), 1500);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => setOutcome((await copyText(text())) ? "copied" : "copyFailed");
  return (
    <button type="button" className="button-quiet copy-button" onClick={copy} aria-live="polite">
      {texts.controls[outcome ?? "copy"]}
    </button>
  );
}

import { useEffect, useState } from "react";
import { copyText } from "./copy-text.js";

/** Copies what `text` gives at that moment, and says so for a while. */
export function CopyButton({ text, label = "Copy" }: { text: () => string; label?: string }) {
  const [said, say] = useState<"Copied" | "Not copied">();
  useEffect(() => {
    if (said === undefined) return;
    const timer = setTimeout(() => say(undefined), 1500);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = async () => say((await copyText(text())) ? "Copied" : "Not copied");
  return (
    <button type="button" className="button-quiet copy-button" onClick={copy} aria-live="polite">
      {said ?? label}
    </button>
  );
}

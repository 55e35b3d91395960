import { useEffect, useState } from "react";

/** How long it is said that the connection is there again. */
const SHOWN_MS = 4000;

/** A quiet line while there is no connection, and for a moment after it has come back. */
export function ConnectionBanner({ isLost }: { isLost: boolean }) {
  const [wasLost, setWasLost] = useState(false);
  useEffect(() => {
    if (isLost) {
      setWasLost(true);
      return;
    }
    const timer = setTimeout(() => setWasLost(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isLost]);
  const words = isLost
    ? "The connection to the gateway was lost. Reconnecting…"
    : wasLost
      ? "Connected again. Nothing was missed."
      : "";
  return (
    <p className="banner" data-state={isLost ? "lost" : "open"} role="status" hidden={words === ""}>
      {words}
    </p>
  );
}

import { useEffect, useState } from "react";

/** How long the banner stays after a reconnection. */
const SHOWN_MS = 4000;

/** A line shown while the connection is lost, and briefly after it is restored. */
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
  const text = isLost
    ? "Connection to the gateway lost. Reconnecting…"
    : wasLost
      ? "Reconnected. Nothing was missed."
      : "";
  return (
    <p className="banner" data-state={isLost ? "lost" : "open"} role="status" hidden={text === ""}>
      {text}
    </p>
  );
}

import { useEffect, useState } from "react";
import { texts } from "../text/texts.js";

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
  const text = isLost ? texts.shell.connectionLost : wasLost ? texts.shell.reconnected : "";
  return (
    <p className="banner" data-state={isLost ? "lost" : "open"} role="status" hidden={text === ""}>
      {text}
    </p>
  );
}

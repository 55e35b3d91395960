import { useEffect, useState } from "react";

/** The current time, updated every second while `running`. */
export function useClock(running: boolean): number {
  const [now, tick] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => tick(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}

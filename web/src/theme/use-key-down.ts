import { useEffect } from "react";

/** Handles the page's key presses. */
export function useKeyDown(onKeyDown: (event: KeyboardEvent) => void): void {
  useEffect(() => {
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [onKeyDown]);
}

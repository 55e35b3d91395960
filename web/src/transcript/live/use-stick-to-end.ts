import { type RefObject, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";

export interface StickToEnd {
  /** The end is in view. */
  atEnd: boolean;
  showEnd(): void;
  /** Stops following the end, before scrolling elsewhere. */
  release(): void;
}

const CLOSE_PX = 24;
/** Scrolling this soon after a wheel, touch or key event is the reader's. */
const GESTURE_MS = 400;

/** Keeps a scroller at its end while the content grows, until the reader scrolls up. */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  content: RefObject<HTMLElement | null>,
): StickToEnd {
  const stuck = useRef(true);
  const lastTop = useRef(0);
  const [atEnd, setAtEnd] = useState(true);

  const showEnd = useCallback(() => {
    stuck.current = true;
    setAtEnd(true);
    const element = scroller.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, [scroller]);

  const release = useCallback(() => {
    stuck.current = false;
  }, []);

  useLayoutEffect(() => {
    const element = scroller.current;
    const inside = content.current;
    if (element === null || inside === null) return;
    const pull = () => {
      if (!stuck.current) return;
      element.scrollTop = element.scrollHeight;
      lastTop.current = element.scrollTop;
    };
    pull();
    const observer = new ResizeObserver(pull);
    observer.observe(inside);
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, content]);

  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    let lastHeight = element.scrollHeight;
    let touched = Number.NEGATIVE_INFINITY;
    const touch = () => {
      touched = performance.now();
    };
    const look = () => {
      const { scrollTop, scrollHeight, clientHeight } = element;
      const distance = scrollHeight - scrollTop - clientHeight;
      // Rows smaller than estimated also move the content up, but then the height changes.
      const byReader = performance.now() - touched < GESTURE_MS || scrollHeight === lastHeight;
      if (distance <= CLOSE_PX) stuck.current = true;
      else if (byReader && scrollTop < lastTop.current - 1) stuck.current = false;
      lastTop.current = scrollTop;
      lastHeight = scrollHeight;
      setAtEnd(stuck.current || distance <= CLOSE_PX);
    };
    const gestures = ["wheel", "touchmove", "pointerdown", "keydown"] as const;
    for (const gesture of gestures) element.addEventListener(gesture, touch, { passive: true });
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      for (const gesture of gestures) element.removeEventListener(gesture, touch);
      element.removeEventListener("scroll", look);
    };
  }, [scroller]);

  return useMemo(() => ({ atEnd, showEnd, release }), [atEnd, showEnd, release]);
}

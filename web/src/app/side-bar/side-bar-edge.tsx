import { type KeyboardEvent, type PointerEvent, useLayoutEffect } from "react";
import { texts } from "../../text/texts.js";
import { useConnected } from "../app-context.js";
import { useStore } from "../state/store.js";

/** In pixels. */
export const USUAL_WIDTH = 280;
const [NARROWEST, WIDEST, STEP] = [200, 560, 16];

const within = (width: number) => Math.min(Math.max(Math.round(width), NARROWEST), WIDEST);

/** The edge of the side bar: dragged, or moved with the arrow keys, it changes the width. A double click restores the usual one. */
export function SideBarEdge() {
  const { sideBarWidth } = useConnected().app.world;
  const width = useStore(sideBarWidth);
  useLayoutEffect(() => {
    document.documentElement.style.setProperty("--side-bar-width", `${width}px`);
  }, [width]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    sideBarWidth.update((before) => within(before + step));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) sideBarWidth.set(within(event.clientX));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved
    <div
      className="side-bar-edge"
      role="separator"
      tabIndex={0}
      aria-label={texts.shell.sideBarWidth}
      aria-orientation="vertical"
      aria-valuemin={NARROWEST}
      aria-valuemax={WIDEST}
      aria-valuenow={width}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onDoubleClick={() => sideBarWidth.set(USUAL_WIDTH)}
    />
  );
}

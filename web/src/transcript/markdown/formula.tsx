import type { MathToken } from "dragoman/markdown";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { visible } from "../visible-text.js";

type Render = (text: string, display: boolean) => ReactNode | undefined;

let render: Render | undefined;

/** Lines of a paragraph are broken at spaces, but not in a formula. Longer ones scroll. */
const LONGEST_IN_LINE = 40;

/** A formula. Its source is shown until the library is loaded, and if it cannot be shown whole. */
export function Formula({ source, text, display }: MathToken): ReactNode {
  const isReady = useRender();
  const elements = useMemo(() => (isReady ? render?.(text, display) : undefined), [isReady, text, display]);
  const shown = visible(source);
  if (elements === undefined) {
    return (
      <span className="md-math" data-display={display || undefined}>
        {shown}
      </span>
    );
  }
  const isWide = display || source.length > LONGEST_IN_LINE;
  return (
    <>
      {/* What is selected and copied. */}
      <span className="md-formula-source" data-display={display || undefined} aria-hidden="true">
        {shown}
      </span>
      <span
        className="md-formula"
        data-display={display || undefined}
        data-wide={isWide || undefined}
        tabIndex={isWide ? 0 : undefined}
      >
        {elements}
      </span>
    </>
  );
}

function useRender(): boolean {
  const [isReady, setReady] = useState(render !== undefined);
  useEffect(() => {
    if (isReady) return;
    let isMounted = true;
    // After a server update the library's file may be gone; the source then stays.
    load().then(
      () => isMounted && setReady(true),
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [isReady]);
  return isReady;
}

async function load(): Promise<void> {
  const { copyFormulasAsSource, formulaElements } = await import("./formula-elements.js");
  if (render !== undefined) return;
  render = formulaElements;
  copyFormulasAsSource();
}

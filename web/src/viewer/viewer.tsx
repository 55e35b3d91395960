import { useSyncExternalStore } from "react";
import { loadViewerTexts, viewerTexts } from "../text/viewer-texts.js";
import { mount } from "../theme/mount.js";
import { visible } from "../transcript/visible-text.js";
import type { Source } from "./model/envelope.js";
import { ViewerStore } from "./model/viewer-store.js";
import { FailurePage } from "./pages/failure-page.js";
import { OpenPage } from "./pages/open-page.js";
import { StartPage } from "./pages/start-page.js";
import { createYielder, pause } from "./work/slices.js";
import "./viewer.css";

const clock = {
  now: () => performance.now(),
  after(ms: number, call: () => void) {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  },
};

function Viewer({ store }: { store: ViewerStore }) {
  const phase = useSyncExternalStore(store.subscribe, store.snapshot);
  const open = store.open.bind(store);
  switch (phase.kind) {
    case "choosing":
      return <StartPage trouble={phase.trouble} onOpen={open} />;
    case "reading":
      return (
        <main className="viewer-wait" aria-busy="true">
          <p role="status">{viewerTexts.reading(visible(phase.name))}</p>
          {phase.messages === 0 ? null : (
            <p className="viewer-quiet viewer-position">{viewerTexts.messages(phase.messages)}</p>
          )}
        </main>
      );
    case "failed":
      return <FailurePage source={phase.source} error={phase.error} onOpen={open} />;
    case "open":
      return <OpenPage transcript={phase.transcript} onOpen={open} />;
  }
}

/** A file that is dropped anywhere is opened; the browser would leave the page for it. */
function openDropped(store: ViewerStore): void {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    // The start page's field has handled it.
    if (event.defaultPrevented) return;
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) void openFile(store, file);
  });
}

async function openFile(store: ViewerStore, file: File): Promise<void> {
  await store.open({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
}

/** Mounts the viewer and opens the transcript that `find` returns, or asks for a file. */
export async function showViewer(
  find: () => Promise<Source | undefined>,
  startWorker: () => Worker,
): Promise<void> {
  await loadViewerTexts();
  const breathe = createYielder(pause, () => performance.now());
  const store = new ViewerStore({ breathe, clock, startWorker });
  mount(<Viewer store={store} />);
  openDropped(store);
  void store.start(find);
}

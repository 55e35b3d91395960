import { type ReactNode, useEffect, useState } from "react";
import { flushSync } from "react-dom";
import type { Item } from "../../transcript/items.js";
import { PrintView } from "../../transcript/print-view.js";
import { useConnected } from "../app-context.js";
import type { ChatSession } from "../state/chat-session.js";
import { useStore } from "../state/store.js";

/** What a printer gets of an open session. The menu loads the whole session first; the browser's own command prints what is loaded. */
export function usePrinting(session: ChatSession, title: string, items: readonly Item[]): ReactNode {
  const { app } = useConnected();
  const wanted = useStore(app.printing);
  const [isPrinting, setPrinting] = useState(false);
  useEffect(() => {
    const show = (value: boolean) => () => flushSync(() => setPrinting(value));
    const [before, after] = [show(true), show(false)];
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  }, []);
  useEffect(() => {
    if (wanted !== session.id) return;
    app.printing.set(undefined);
    void app.attempt(async () => {
      await session.loadAll();
      print();
    });
  }, [app, session, wanted]);
  return isPrinting ? <PrintView title={title} items={items} /> : null;
}

import { useEffect } from "react";
import { useConnected } from "../app-context.js";
import type { ChatSession } from "../state/chat-session.js";
import { useStore } from "../state/store.js";

/** Prints the open session when its menu asks for it, once all of it is loaded. The browser's own command prints what is loaded. */
export function usePrintCommand(session: ChatSession): void {
  const { app } = useConnected();
  const wanted = useStore(app.printing);
  useEffect(() => {
    if (wanted !== session.id) return;
    app.printing.set(undefined);
    void app.attempt(async () => {
      await session.loadAll();
      print();
    });
  }, [app, session, wanted]);
}

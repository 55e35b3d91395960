import { useEffect } from "react";
import { texts } from "../text/texts.js";
import { IconButton } from "../theme/icon-button.js";
import type { Done } from "./state/chat-app.js";
import { type Store, useStore } from "./state/store.js";

/** Why an action failed; stays until the user dismisses it. */
export function Notice({ store }: { store: Store<string | undefined> }) {
  const text = useStore(store);
  return (
    <div className="notice" role="alert" hidden={text === undefined}>
      <p>{text}</p>
      <IconButton icon="close" label={texts.shell.dismiss} onClick={() => store.set(undefined)} />
    </div>
  );
}

const SHOWN_MS = 10_000;

/** What was done, for a while, with a button that undoes it. */
export function DoneNotice({ store }: { store: Store<Done | undefined> }) {
  const done = useStore(store);
  useEffect(() => {
    if (done === undefined) return;
    const timer = setTimeout(() => store.set(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [store, done]);
  return (
    <div className="notice" data-tone="done" role="status" hidden={done === undefined}>
      <p>{done?.text}</p>
      <button type="button" className="link-button" onClick={done?.undo}>
        {texts.controls.undo}
      </button>
      <IconButton icon="close" label={texts.shell.dismiss} onClick={() => store.set(undefined)} />
    </div>
  );
}

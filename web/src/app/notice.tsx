import { IconButton } from "../theme/icon-button.js";
import { type Store, useStore } from "./state/store.js";

/** Why an action failed; stays until the user dismisses it. */
export function Notice({ store }: { store: Store<string | undefined> }) {
  const text = useStore(store);
  return (
    <div className="notice" role="alert" hidden={text === undefined}>
      <p>{text}</p>
      <IconButton icon="close" label="Dismiss" onClick={() => store.set(undefined)} />
    </div>
  );
}

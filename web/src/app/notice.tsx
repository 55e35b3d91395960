import { IconButton } from "../theme/icon-button.js";
import { type Store, useStore } from "./state/store.js";

/** Something went wrong that somebody had asked for; it stays until it was read. */
export function Notice({ store }: { store: Store<string | undefined> }) {
  const words = useStore(store);
  return (
    <div className="notice" role="alert" hidden={words === undefined}>
      <p>{words}</p>
      <IconButton icon="close" label="Dismiss" onClick={() => store.set(undefined)} />
    </div>
  );
}

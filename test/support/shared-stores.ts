import type { Store } from "../../src/log/store.js";
import { openStore } from "../../src/runtime/sessions.js";
import { newPostgresAddress } from "./postgres/shared.js";
import { temporaryFolder } from "./temporary-folder.js";

/** What one of several gateways on a store needs to use it. */
export interface StorePlace {
  home: string;
  /** The environment of a gateway's process. */
  env: Record<string, string>;
  /** Opens the store, as another process would. */
  open(): Promise<Store>;
}

/** A new, empty store. Each call returns the place of another gateway on it. */
export type StorePlaces = () => StorePlace;

const places = {
  async files(): Promise<StorePlaces> {
    const home = temporaryFolder();
    return () => ({ home, env: {}, open: () => openStore(home, {}) });
  },
  async PostgreSQL(): Promise<StorePlaces> {
    const env = { DRAGOMAN_STORE: await newPostgresAddress() };
    return () => {
      const home = temporaryFolder();
      return { home, env, open: () => openStore(home, env) };
    };
  },
};

/** The stores that several gateways can share, by name. */
export const sharedStores = Object.entries(places);

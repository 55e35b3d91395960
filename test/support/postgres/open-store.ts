import { PostgresStore } from "../../../src/log/postgres/postgres-store.js";

/** The store at an address, without other programs' sessions. */
export function openPostgres(address: string): Promise<PostgresStore> {
  return PostgresStore.open(address, {
    env: {},
    openOthers: () => {
      throw new Error("no other sources");
    },
  });
}

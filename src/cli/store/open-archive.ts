import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { DragomanError } from "../../core/error.js";
import type { Archive } from "../../log/copies/archive.js";
import { fallbackIfMissing } from "../../log/files/disk-error.js";
import { FileArchive } from "../../log/files/file-archive.js";
import type { Store } from "../../log/store.js";
import { openHomeStore } from "../../runtime/sessions.js";
import { findGateway } from "../running-gateway.js";

interface OpenArchive {
  store: Store;
  archive: Archive;
  /** Whether a gateway uses it. */
  isInUse(): Promise<boolean>;
}

/** @param place a home folder, or a postgres:// address */
async function openArchive(place: string, { mayCreate }: { mayCreate: boolean }): Promise<OpenArchive> {
  if (/^postgres(ql)?:\/\//.test(place)) {
    const { PostgresStore } = await import("../../log/postgres/postgres-store.js");
    const openOthers = () => {
      throw new Error("a copy does not use the index");
    };
    const store = await PostgresStore.open(place, { env: process.env, openOthers });
    const { archive } = store;
    return { store, archive, isInUse: () => archive.isInUse() };
  }
  const home = resolve(place);
  if (!mayCreate && (await fallbackIfMissing(stat(home), undefined)) === undefined) {
    throw new DragomanError("cli/no-file", `there is no folder "${home}"`, {
      hint: "name a home folder, such as ~/.dragoman, or a postgres:// address",
    });
  }
  const isInUse = async () => (await findGateway(home)) !== undefined;
  return { store: openHomeStore(home), archive: new FileArchive(home), isInUse };
}

/** Runs `work` with two stores that no gateway uses. */
export async function withArchives<T>(
  places: readonly [string, string],
  { mayCreate }: { mayCreate: boolean },
  work: (one: OpenArchive, other: OpenArchive) => Promise<T>,
): Promise<T> {
  const one = await openArchive(places[0], { mayCreate: false });
  const other = await openArchive(places[1], { mayCreate });
  try {
    for (const { store, isInUse } of [one, other]) {
      if (!(await isInUse())) continue;
      throw new DragomanError("log/locked", `a gateway uses ${store.where}`, {
        hint: "stop it and run this command again",
      });
    }
    return await work(one, other);
  } finally {
    await one.store.close();
    await other.store.close();
  }
}

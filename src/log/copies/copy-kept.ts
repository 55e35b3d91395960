import { DragomanError } from "../../core/error.js";
import type { CellCodec, Store } from "../store.js";
import type { Lease } from "../types.js";
import type { KeptNames } from "./archive.js";

const PATIENCE_MS = 10_000;
/** Lines that are added together. */
const TOGETHER = 1_000;

/** A cell as the text it is. */
const asText: CellCodec<string> = {
  empty: "",
  parse: (text) => text,
  print: (text) => text,
  refuse: (where, reason, hint) => new DragomanError("log/unreadable", `${where}: ${reason}`, { hint }),
};

/** Copies cells, journals, values and shared lines. Returns how many there are. */
export async function copyKept(from: Store, to: Store, names: KeptNames): Promise<number> {
  for (const name of names.cells) {
    const text = await from.cell(name, asText).read();
    if (text !== "") await to.cell(name, asText).change((known) => (known === text ? known : text));
  }
  for (const account of new Set([...names.journals, ...names.values].map(accountOf))) {
    const ofAccount = (name: string) => accountOf(name) === account;
    await underBoth(from, to, account, async (source, target) => {
      for (const name of names.journals.filter(ofAccount)) await copyJournal(from, to, name, source, target);
      for (const name of names.values.filter(ofAccount)) {
        const [read, write] = [from.values(name, source), to.values(name, target)];
        for (const key of await read.names()) {
          const text = await read.read(key);
          if (text !== undefined) await write.write(key, text);
        }
      }
    });
  }
  for (const name of names.lines) await copyLines(from, to, name);
  return names.cells.length + names.journals.length + names.values.length + names.lines.length;
}

/** `channels/telegram/main` of `channels/telegram/main/inbox`: its lease protects everything of the account. */
function accountOf(name: string): string {
  return name.split("/").slice(0, 3).join("/");
}

async function underBoth(
  from: Store,
  to: Store,
  account: string,
  work: (source: Lease, target: Lease) => Promise<void>,
): Promise<void> {
  const leases: Lease[] = [];
  try {
    for (const store of [from, to]) {
      leases.push(await waitForLease(store, account));
    }
    const [source, target] = leases;
    if (source !== undefined && target !== undefined) await work(source, target);
  } finally {
    for (const lease of leases) await lease.release();
  }
}

/** A copy that was killed a moment ago may still have the lease. */
async function waitForLease(store: Store, account: string): Promise<Lease> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    return await store.waitForLease(account, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new DragomanError("log/locked", `a running gateway uses ${account} in ${store.where}`, {
      hint: "stop it and run this command again",
    });
  }
}

/** What an interrupted copy has stored is not stored again. */
async function copyLines(from: Store, to: Store, name: string): Promise<void> {
  const [lines, known] = [await readLines(from, name), await readLines(to, name)];
  if (known.some((line, index) => line !== lines[index])) {
    throw new DragomanError("log/replaced", `${name} in ${to.where} has other lines`, {
      hint: "copy to an empty store",
    });
  }
  const target = to.lines(name);
  try {
    for (let start = known.length; start < lines.length; start += TOGETHER) {
      const some = lines.slice(start, start + TOGETHER);
      await Promise.all(some.map((line, index) => target.add(line, `copied-${start + index}`)));
    }
  } finally {
    target.close();
  }
}

export async function readLines(store: Store, name: string): Promise<string[]> {
  const source = store.lines(name);
  const lines: string[] = [];
  const apply = (text: string | undefined, number: number) => {
    if (text !== undefined) lines.push(text);
    else throw new DragomanError("log/unreadable", `${source.where}: line ${number} is not valid UTF-8`);
  };
  await source.reader({ apply, reset: () => undefined }).readNew();
  return lines;
}

async function copyJournal(
  from: Store,
  to: Store,
  name: string,
  source: Lease,
  target: Lease,
): Promise<void> {
  const records: unknown[] = [];
  const known: unknown[] = [];
  const collect = (into: unknown[]) => ({
    read: (value: unknown) => value,
    apply: (record: unknown) => {
      into.push(record);
    },
    snapshot: () => into,
    onNote: (text: string) => {
      throw new DragomanError("log/unreadable", text);
    },
  });
  await (await from.journal(name, source, collect(records))).close();
  const journal = await to.journal(name, target, collect(known));
  try {
    if (JSON.stringify(known) === JSON.stringify(records)) return;
    if (known.length > 0) {
      throw new DragomanError("log/replaced", `the journal ${name} in ${to.where} has other records`, {
        hint: "copy to an empty store",
      });
    }
    await journal.append([...records]);
  } finally {
    await journal.close();
  }
}

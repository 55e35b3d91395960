import { statsOf } from "../../catalogue/find.js";
import { type Catalogue, type Found, HOME_SOURCE, type SourceFilter } from "../../catalogue/types.js";
import type { PostgresCatalogue } from "./catalogue.js";

/**
 * The index of a store in a database, and that of other programs' sessions, which are files of this computer.
 *
 * @param openOthers opens the index of the files; called when it is needed
 */
export function withOtherSources(own: PostgresCatalogue, openOthers: () => Catalogue): Catalogue {
  let opened: Catalogue | undefined;
  const others = () => {
    opened ??= openOthers();
    return opened;
  };

  const list: Catalogue["list"] = async (options = {}) => {
    const { own: isOwn, others: sources } = split(options);
    if (sources === undefined) return isOwn ? own.list(options) : [];
    const { before: _, ...rest } = options;
    const found = await others().list({ ...rest, sources });
    if (!isOwn) return found;
    const { sort = "active", limit, before } = options;
    const all = [...(await own.list(rest)), ...found].sort(
      (one, other) => (other[sort] ?? 0) - (one[sort] ?? 0),
    );
    const start = before === undefined ? 0 : all.findIndex(({ id }) => id === before) + 1;
    return all.slice(start, limit === undefined ? undefined : start + limit);
  };

  return {
    update: (options = {}) => (options.source === undefined ? own.update(options) : others().update(options)),
    updateFile: (source, file) => others().updateFile(source, file),
    indexSoon: (session) => own.indexSoon(session),
    list,
    async get(name, filter = {}) {
      const { own: isOwn, others: sources } = split(filter);
      const found = isOwn ? await own.get(name) : undefined;
      return found ?? (sources === undefined ? undefined : others().get(name, { sources }));
    },
    async search(query, filters = {}) {
      const { own: isOwn, others: sources } = split(filters);
      const empty: Found = { hits: [], total: 0, ignored: [] };
      const mine = isOwn ? await own.search(query, filters) : empty;
      const theirs = sources === undefined ? empty : await others().search(query, { ...filters, sources });
      // The two indexes rank differently, so that the best of each alternate.
      const hits = mine.hits.flatMap((hit, index) => [hit, ...theirs.hits.slice(index, index + 1)]);
      hits.push(...theirs.hits.slice(mine.hits.length));
      return {
        hits: hits.slice(0, filters.limit ?? 20),
        total: mine.total + theirs.total,
        ...(mine.more === true || theirs.more === true ? { more: true as const } : {}),
        ignored: isOwn ? mine.ignored : theirs.ignored,
      };
    },
    stats: async (filter = {}) => statsOf(await list(filter)),
    async spending(filter = {}) {
      const { own: isOwn, others: sources } = split(filter);
      const mine = isOwn ? await own.spending(filter) : [];
      return sources === undefined ? mine : [...mine, ...(await others().spending({ ...filter, sources }))];
    },
    async close() {
      await own.close();
      await opened?.close();
    },
  };
}

/** Whether the store's own sessions are asked for, and which other sources'; undefined if none. */
function split({ sources = [HOME_SOURCE] }: SourceFilter): {
  own: boolean;
  others: readonly string[] | "all" | undefined;
} {
  if (sources === "all") return { own: true, others: "all" };
  const others = sources.filter((name) => name !== HOME_SOURCE);
  return { own: sources.includes(HOME_SOURCE), others: others.length === 0 ? undefined : others };
}

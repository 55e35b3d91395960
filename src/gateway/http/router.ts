import type {
  GuestRoute,
  HttpProtocol,
  HttpRoute,
  Protocol,
  PublicHook,
  PublicPage,
  SocketRoute,
} from "../types.js";

type Part = { kind: "word"; text: string } | { kind: "name" | "rest"; name: string };

interface Compiled<R> {
  parts: readonly Part[];
  route: R;
}

/** Routes in the order in which they are tried. */
interface Routes<R> {
  /** By the first word of their path, with those that have another kind of part there. */
  byFirst: ReadonlyMap<string, readonly Compiled<R>[]>;
  others: readonly Compiled<R>[];
}

/** A route, and the values of its path's named parts. */
export interface Match<R> {
  route: R;
  params: Readonly<Record<string, string>>;
}

export interface ServedRoute extends HttpRoute {
  protocol: HttpProtocol;
}

/** Finds a path's route. Words win over names and names over a rest, whatever their order. */
export class Router {
  readonly #http: Routes<ServedRoute>;
  readonly #sockets: Routes<SocketRoute>;
  readonly #guests: Routes<GuestRoute>;
  readonly #pages: Routes<PublicPage>;
  readonly #hooks: Routes<PublicHook>;
  /** Longest path first. */
  readonly #areas: readonly { under: string; protocol: HttpProtocol }[];

  constructor(protocols: readonly Protocol[]) {
    this.#http = compile(
      protocols.flatMap(({ http }) =>
        http === undefined ? [] : http.routes.map((route) => ({ ...route, protocol: http })),
      ),
    );
    this.#sockets = compile(protocols.flatMap(({ sockets = [] }) => sockets));
    this.#guests = compile(protocols.flatMap(({ guests = [] }) => guests));
    this.#pages = compile(protocols.flatMap(({ pages = [] }) => pages));
    this.#hooks = compile(protocols.flatMap(({ hooks = [] }) => hooks));
    this.#areas = protocols
      .flatMap(({ http }) => http?.under?.map((under) => ({ under, protocol: http })) ?? [])
      .sort((one, other) => other.under.length - one.under.length);
  }

  page(path: string): Match<PublicPage> | undefined {
    return first(matches(this.#pages, path));
  }

  hook(path: string): Match<PublicHook> | undefined {
    return first(matches(this.#hooks, path));
  }

  socket(path: string): Match<SocketRoute> | undefined {
    return first(matches(this.#sockets, path));
  }

  guest(path: string): Match<GuestRoute> | undefined {
    return first(matches(this.#guests, path));
  }

  http(method: string, path: string): Match<ServedRoute> | undefined {
    for (const match of matches(this.#http, path)) {
      if (match.route.method === method && isAccepted(match)) return match;
    }
    return undefined;
  }

  /** The protocol whose error format a path has, whether or not it has a route. */
  protocolAt(path: string): HttpProtocol | undefined {
    return this.#areas.find(({ under }) => path === under || path.startsWith(`${under}/`))?.protocol;
  }

  methods(path: string): string[] {
    const found = [...matches(this.#http, path)].filter(isAccepted);
    return [...new Set(found.map(({ route }) => route.method))];
  }
}

function isAccepted({ route, params }: Match<ServedRoute>): boolean {
  return route.accepts?.(params) ?? true;
}

function compile<R extends { path: string }>(routes: readonly R[]): Routes<R> {
  const all = routes
    .map((route) => ({ route, parts: split(route.path).map(partOf) }))
    .sort((one, other) => compareParts(one.parts, other.parts));
  const firstWord = ([part]: readonly Part[]) => (part?.kind === "word" ? part.text : undefined);
  const others = all.filter(({ parts }) => firstWord(parts) === undefined);
  const byFirst = new Map<string, readonly Compiled<R>[]>();
  for (const { parts } of all) {
    const word = firstWord(parts);
    if (word === undefined || byFirst.has(word)) continue;
    byFirst.set(
      word,
      all.filter((one) => firstWord(one.parts) === word || others.includes(one)),
    );
  }
  return { byFirst, others };
}

function split(path: string): string[] {
  return path.split("/").slice(1);
}

function partOf(text: string): Part {
  if (!text.startsWith(":")) return { kind: "word", text };
  return text.endsWith("*")
    ? { kind: "rest", name: text.slice(1, -1) }
    : { kind: "name", name: text.slice(1) };
}

const ranks = { word: 0, name: 1, rest: 2 };

function compareParts(one: readonly Part[], other: readonly Part[]): number {
  for (const [index, part] of one.entries()) {
    const against = other[index];
    if (against === undefined) return 1;
    if (part.kind !== against.kind) return ranks[part.kind] - ranks[against.kind];
  }
  return one.length - other.length;
}

function* matches<R>({ byFirst, others }: Routes<R>, path: string): Generator<Match<R>> {
  const second = path.indexOf("/", 1);
  const routes = byFirst.get(path.slice(1, second < 0 ? undefined : second)) ?? others;
  if (routes.length === 0) return;
  const given = split(path);
  for (const { parts, route } of routes) {
    const params = hasWords(parts, given) ? paramsOf(parts, given) : undefined;
    if (params !== undefined) yield { route, params };
  }
}

/** Excludes most routes quickly. */
function hasWords(parts: readonly Part[], given: readonly string[]): boolean {
  for (let index = 0; index < parts.length; index++) {
    const part = parts[index];
    if (part?.kind === "word" && part.text !== given[index]) return false;
  }
  return true;
}

function first<T>(found: Iterable<T>): T | undefined {
  for (const one of found) return one;
  return undefined;
}

/** The named parts of a path that has the words; undefined if it has other parts. */
function paramsOf(parts: readonly Part[], given: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const text = given[index];
    if (text === undefined) return undefined;
    if (part.kind === "word") continue;
    const value = decoded(part.kind === "rest" ? given.slice(index) : [text]);
    if (value === undefined || value === "") return undefined;
    params[part.name] = value;
    if (part.kind === "rest") return params;
  }
  return given.length === parts.length ? params : undefined;
}

function decoded(parts: readonly string[]): string | undefined {
  try {
    return parts.map(decodeURIComponent).join("/");
  } catch {
    // An invalid percent-encoding matches no route.
    return undefined;
  }
}

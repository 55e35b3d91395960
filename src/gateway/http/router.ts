import type { HttpProtocol, HttpRoute, Protocol, PublicHook, PublicPage, SocketRoute } from "../types.js";

type Part = { kind: "word"; text: string } | { kind: "name" | "rest"; name: string };

interface Compiled<R> {
  parts: readonly Part[];
  route: R;
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
  readonly #http: readonly Compiled<ServedRoute>[];
  readonly #sockets: readonly Compiled<SocketRoute>[];
  readonly #pages: readonly Compiled<PublicPage>[];
  readonly #hooks: readonly Compiled<PublicHook>[];
  /** Longest path first. */
  readonly #areas: readonly { under: string; protocol: HttpProtocol }[];

  constructor(protocols: readonly Protocol[]) {
    this.#http = compile(
      protocols.flatMap(({ http }) =>
        http === undefined ? [] : http.routes.map((route) => ({ ...route, protocol: http })),
      ),
    );
    this.#sockets = compile(protocols.flatMap(({ sockets = [] }) => sockets));
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

  http(method: string, path: string): Match<ServedRoute> | undefined {
    for (const match of this.#matches(path)) if (match.route.method === method) return match;
    return undefined;
  }

  #matches(path: string): Match<ServedRoute>[] {
    return [...matches(this.#http, path)].filter(({ route, params }) => route.accepts?.(params) ?? true);
  }

  /** The protocol whose error format a path has, whether or not it has a route. */
  protocolAt(path: string): HttpProtocol | undefined {
    return this.#areas.find(({ under }) => path === under || path.startsWith(`${under}/`))?.protocol;
  }

  methods(path: string): string[] {
    return [...new Set([...this.#matches(path)].map(({ route }) => route.method))];
  }
}

function compile<R extends { path: string }>(routes: readonly R[]): Compiled<R>[] {
  return routes
    .map((route) => ({ route, parts: split(route.path).map(partOf) }))
    .sort((one, other) => compareParts(one.parts, other.parts));
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

function* matches<R>(routes: readonly Compiled<R>[], path: string): Generator<Match<R>> {
  const given = split(path);
  for (const { parts, route } of routes) {
    if (!startsAlike(parts, given)) continue;
    const params = paramsOf(parts, given);
    if (params !== undefined) yield { route, params };
  }
}

/** Excludes most routes quickly. */
function startsAlike([first]: readonly Part[], [given]: readonly string[]): boolean {
  return first?.kind !== "word" || first.text === given;
}

function first<T>(found: Iterable<T>): T | undefined {
  for (const one of found) return one;
  return undefined;
}

function paramsOf(parts: readonly Part[], given: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const text = given[index];
    if (text === undefined) return undefined;
    if (part.kind === "word") {
      if (part.text !== text) return undefined;
      continue;
    }
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

/** What a server says about the access it requires, in `WWW-Authenticate`. */
export interface Challenge {
  resourceMetadata?: string;
  scope?: string;
  error?: string;
}

const NAME = /^([A-Za-z0-9_-]+)[ \t]*=[ \t]*/;
const QUOTED = /^"((?:[^"\\]|\\.)*)"/;
const PLAIN = /^[^\s,"]+/;

/**
 * Reads the Bearer challenge of a 401 or 403 response.
 *
 * @example
 * readChallenge('Bearer error="insufficient_scope", scope="files:write"'); // { error, scope }
 */
export function readChallenge(header: string | null): Challenge {
  const start = /(?:^|,)\s*bearer(?=\s|$)/i.exec(header ?? "");
  if (header === null || start === null) return {};
  const found = parametersIn(header.slice(start.index + start[0].length));
  const [resourceMetadata, scope, error] = ["resource_metadata", "scope", "error"].map((key) =>
    found.get(key),
  );
  return {
    ...(resourceMetadata === undefined ? {} : { resourceMetadata }),
    ...(scope === undefined ? {} : { scope }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Parameters are `name="a quoted \\" text"` or `name=plain`. The first of several with the same name counts. */
function parametersIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (let rest = text; rest !== ""; ) {
    const name = NAME.exec(rest);
    if (name === null) {
      rest = rest.slice(PLAIN.exec(rest)?.[0].length ?? 1);
      continue;
    }
    rest = rest.slice(name[0].length);
    const quoted = QUOTED.exec(rest);
    const plain = quoted === null ? PLAIN.exec(rest) : null;
    rest = rest.slice((quoted ?? plain)?.[0].length ?? 0);
    const value = quoted?.[1]?.replaceAll(/\\(.)/g, "$1") ?? plain?.[0];
    const key = (name[1] ?? "").toLowerCase();
    if (value !== undefined && !found.has(key)) found.set(key, value);
  }
  return found;
}

/** Scopes of both lists, each once. */
export function joinScopes(...lists: readonly (string | undefined)[]): string | undefined {
  const scopes = lists.flatMap((list) => (list ?? "").split(" ").filter((scope) => scope !== ""));
  return scopes.length === 0 ? undefined : [...new Set(scopes)].join(" ");
}

/** What a server says about the access it requires, in `WWW-Authenticate`. */
export interface Challenge {
  resourceMetadata?: string;
  scope?: string;
  error?: string;
}

/** One parameter: `name="a quoted \" text"` or `name=token`. */
const PARAMETER = /([A-Za-z0-9_-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/g;

/**
 * Reads the Bearer challenge of a 401 or 403 response.
 *
 * @example
 * readChallenge('Bearer error="insufficient_scope", scope="files:write"'); // { error, scope }
 */
export function readChallenge(header: string | null): Challenge {
  const start = /(?:^|,)\s*bearer(?=\s|$)/i.exec(header ?? "");
  if (header === null || start === null) return {};
  const found = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of header
    .slice(start.index + start[0].length)
    .matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted === undefined ? plain : quoted.replaceAll(/\\(.)/g, "$1"));
  }
  const [resourceMetadata, scope, error] = ["resource_metadata", "scope", "error"].map((key) =>
    found.get(key),
  );
  return {
    ...(resourceMetadata === undefined ? {} : { resourceMetadata }),
    ...(scope === undefined ? {} : { scope }),
    ...(error === undefined ? {} : { error }),
  };
}

/** Scopes of both lists, each once. */
export function joinScopes(...lists: readonly (string | undefined)[]): string | undefined {
  const scopes = lists.flatMap((list) => (list ?? "").split(" ").filter((scope) => scope !== ""));
  return scopes.length === 0 ? undefined : [...new Set(scopes)].join(" ");
}

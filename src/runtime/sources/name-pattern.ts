const UUID = /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;
const UUID_LENGTH = 36;

/** What a pattern captured. */
export interface NameMatch {
  id?: string;
}

/**
 * A pattern of one file or folder name: `*` is any characters, `{id}` any that are the session's id, `{uuid}` an id that is a
 * UUID. Not an expression, because users write patterns: the time is bounded for every pattern.
 */
export class NamePattern {
  readonly #parts: readonly string[];

  /** Whether the whole name is the session's id. */
  readonly isId: boolean;

  constructor(pattern: string) {
    this.isId = pattern === "{id}";
    this.#parts = pattern.split(/(\*|\{id\}|\{uuid\})/).filter((part) => part !== "");
  }

  match(name: string): NameMatch | undefined {
    const parts = this.#parts;
    /** The places that lead nowhere, for each part. */
    const failed = parts.map(() => new Set<number>());

    const from = (index: number, at: number): NameMatch | undefined => {
      const part = parts[index];
      if (part === undefined) return at === name.length ? {} : undefined;
      if (failed[index]?.has(at) === true) return undefined;
      const found = matchPart(part, index, at);
      if (found === undefined) failed[index]?.add(at);
      return found;
    };

    const matchPart = (part: string, index: number, at: number): NameMatch | undefined => {
      if (part === "{uuid}") {
        const id = name.slice(at, at + UUID_LENGTH);
        return UUID.test(id) ? withId(id, from(index + 1, at + UUID_LENGTH)) : undefined;
      }
      if (part !== "*" && part !== "{id}") {
        return name.startsWith(part, at) ? from(index + 1, at + part.length) : undefined;
      }
      const least = part === "*" ? at : at + 1;
      for (let end = name.length; end >= least; end--) {
        const rest = from(index + 1, end);
        if (rest !== undefined) return part === "*" ? rest : withId(name.slice(at, end), rest);
      }
      return undefined;
    };

    return from(0, 0);
  }
}

function withId(id: string, rest: NameMatch | undefined): NameMatch | undefined {
  return rest === undefined ? undefined : { id, ...rest };
}

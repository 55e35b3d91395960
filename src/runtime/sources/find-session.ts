import { DragomanError } from "../../core/error.js";
import type { Catalogue, SessionSummary } from "../../log/catalogue/types.js";
import { canonicalKey } from "../../log/key.js";
import type { Source } from "./source.js";
import type { SourceFile } from "./sources.js";

const NAMED_IN_ERROR = 5;

/** The home's session with this id, id prefix or key. */
export async function findOwn(catalogue: Catalogue, name: string): Promise<SessionSummary | undefined> {
  // In the canonical form of a key, `direct` is `dm`.
  const isKey = name.startsWith("agent:");
  return (await catalogue.get(name)) ?? (isKey ? await catalogue.get(canonicalKey(name)) : undefined);
}

/**
 * The session with this id or id prefix in other programs' folders. Sources whose file names contain the ids of sessions
 * are not indexed for it.
 */
export async function findElsewhere(
  { catalogue, index }: { catalogue: Catalogue; index(sources: readonly Source[]): Promise<void> },
  sources: readonly Source[],
  name: string,
): Promise<SessionSummary | undefined> {
  // Not loaded for a session of the home.
  const { filesNamed } = await import("./sources.js");
  const files = await filesNamed(sources, name);
  const [only, ...others] = files;
  if (others.length > 0) throw ambiguous(name, files);
  if (only !== undefined) return catalogue.updateFile(only.source, only.file);
  const unnamed = sources.filter(({ namesIds }) => !namesIds);
  if (unnamed.length === 0) return undefined;
  await index(unnamed);
  return catalogue.get(name, { sources: unnamed.map((source) => source.name) });
}

function ambiguous(name: string, files: readonly SourceFile[]): DragomanError {
  const named = files.slice(0, NAMED_IN_ERROR).map(({ source, file }) => `${file.id} (${source.name})`);
  const more = files.length > named.length ? ", …" : "";
  const message = `${files.length} sessions begin with ${name}: ${named.join(", ")}${more}`;
  const isId = files.every(({ file }) => file.id === name);
  return new DragomanError("log/ambiguous", message, {
    hint: isId ? "name the source with --source, or the file" : "give more of the id",
  });
}

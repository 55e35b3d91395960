import { loadApi } from "../../dialects/registry.js";
import type { Model } from "../../providers/model.js";

const kinds = ["image", "audio", "file"] as const;

/** The MIME types of media that a model accepts from users, as far as its card and its API state them. */
export async function acceptedTypes({ api, card }: Pick<Model, "api" | "card">): Promise<string[]> {
  const known = kinds.filter((kind) => card.input.includes(kind));
  if (api === undefined) return known.map((kind) => (kind === "file" ? "*/*" : `${kind}/*`));
  const { user } = (await loadApi(api)).rules.media;
  return [...new Set(known.flatMap((kind) => user[kind] ?? []))];
}

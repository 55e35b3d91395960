import type { ModelCard } from "./catalogue.js";

export const catalogue: Record<string, ModelCard> = {};

import type { Limit } from "../../core/dialect.js";

export const limits: readonly Limit[] = [
  {
    at: "/content",
    why: "the page embeds only valid media of types that browsers show; characters that text cannot contain are replaced",
  },
];

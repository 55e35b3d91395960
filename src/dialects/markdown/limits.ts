import type { Limit } from "../../core/dialect.js";

export const limits: readonly Limit[] = [
  {
    at: "/content",
    why: "Markdown contains no media, so the page only names them; characters that text cannot contain are replaced",
  },
];

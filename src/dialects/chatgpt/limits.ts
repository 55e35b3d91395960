import type { Limit } from "../../core/dialect.js";

export const limits: readonly Limit[] = [{ at: "", why: "ChatGPT has no place for it" }];

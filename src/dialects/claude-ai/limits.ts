import type { Limit } from "../../core/dialect.js";

export const limits: readonly Limit[] = [{ at: "", why: "Claude has no place for it" }];

import type { SourceMessage } from "../decode.js";
import type { Finding } from "../report.js";

/** Checks every message in order, and adds its findings to the report it was constructed with. */
export interface Rule {
  check(source: SourceMessage): void;
  finish?(): void;
}

/** A finding and where in the message it is. */
export interface Found extends Finding {
  path: readonly (string | number)[];
}

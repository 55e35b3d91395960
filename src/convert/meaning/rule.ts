import type { SourceMessage } from "../decode.js";
import type { Finding } from "../report.js";

/** Looks at every message in turn, and says what it has to say to the report it was made with. */
export interface Rule {
  check(source: SourceMessage): void;
  finish?(): void;
}

/** A finding and where in the message it is. */
export interface Found extends Finding {
  path: readonly (string | number)[];
}

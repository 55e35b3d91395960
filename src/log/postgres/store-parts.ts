import type { Database } from "./database.js";
import type { Leases } from "./leases.js";
import type { Presence } from "./presence.js";
import type { Wakes } from "./wakes.js";
import type { Writers } from "./writers.js";

/** What the parts of one process's store share. */
export interface StoreParts {
  database: Database;
  presence: Presence;
  wakes: Wakes;
  leases: Leases;
  writers: Writers;
}

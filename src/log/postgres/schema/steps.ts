import { APPEND_BATCH } from "./append-batch.js";
import { APPEND_GROUP } from "./append-group.js";
import { APPEND_GROUPS } from "./append-groups.js";
import { APPENDS } from "./appends.js";
import { BLOBS } from "./blobs.js";
import { CATALOGUE } from "./catalogue.js";
import { COPIES } from "./copies.js";
import { KEPT } from "./kept.js";
import { LEASES } from "./leases.js";
import { LINES } from "./lines.js";
import { MARKS } from "./marks.js";
import { SESSIONS } from "./sessions.js";
import { TABLES } from "./tables.js";

/**
 * The schema that this program creates. Each step adds to the one before it and never changes or removes what a program of
 * the step before needs, so that two versions of the program can use a store while it is updated. A step that was published
 * stays as it is: stores were created with it.
 */
export interface SchemaStep {
  version: number;
  /** The oldest program that can use the store after this step, by the version that it creates. */
  oldest: number;
  sql: string;
}

export const STEPS: readonly SchemaStep[] = [
  { version: 1, oldest: 1, sql: TABLES + LEASES + APPEND_BATCH + SESSIONS + KEPT + CATALOGUE + COPIES },
  { version: 2, oldest: 1, sql: APPENDS + MARKS + LINES + BLOBS },
  { version: 3, oldest: 1, sql: APPEND_GROUPS },
  { version: 4, oldest: 1, sql: APPEND_GROUP },
];

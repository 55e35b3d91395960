import { inject } from "vitest";

let count = 0;

/** The address of a new, empty store on the PostgreSQL that all test files share. */
export async function newPostgresAddress(): Promise<string> {
  const response = await fetch(inject("postgresDoor"));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return `${text}?schema=test_${process.pid}_${Date.now().toString(36)}_${++count}`;
}

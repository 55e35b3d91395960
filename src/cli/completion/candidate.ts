/** A word that can be completed to, with what it means. */
export interface Candidate {
  value: string;
  text?: string;
}

/** The shell completes the names of files here. */
export const FILES: Candidate = { value: ":file" };

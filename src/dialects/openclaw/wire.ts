/** A line is a message of the model (`src/core/schema/messages.ts`), or nearly one: `admit` notes in `ext` how it differs. */
export const NAME = "openclaw";

/** A line is a message of the model (`src/core/schema/messages.ts`), or almost one: `admit` notes the differences in `ext`. */
export const NAME = "openclaw";

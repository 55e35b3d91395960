import type { KnownShapes } from "../../core/records/known-shapes.js";

/** `scripts/collect-shapes.ts` adds to the list. */
export const shapes: KnownShapes = {
  tags: ["type", "role"],
  enums: ["status"],
  free: ["input"],
  objects: `
<assistant>: message object
<assistant>.message: content []|object[]|string
<assistant>.message.content[]<text>: text
<assistant>.message.content[]<thinking>: thinking
<assistant>.message.content[]<tool_use>: input any, name
<session_meta>:
<turn_ended>: error, status "error"|"success"
<user>: message object
<user>.message: content object[]|string
<user>.message.content[]<text>: text
`,
};

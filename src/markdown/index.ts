export { openMathematics } from "../core/mathematics.js";
export type { Chunk } from "./chunk.js";
export { type Format, formatMarkdown } from "./format-markdown.js";
export { markdownLosses } from "./losses.js";
export { isMath, type MathToken, MathTokenizer, mathExtensions } from "./math-tokens.js";
export { closeSpoiler } from "./spoilers.js";

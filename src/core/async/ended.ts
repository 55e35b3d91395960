/**
 * The reason to abort work that has ended anyway, to free what it holds. Created once: without a reason, each call of `abort`
 * creates an error, with its stack.
 */
export const ended = new DOMException("the work has ended", "AbortError");

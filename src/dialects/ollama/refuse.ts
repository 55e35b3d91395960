import { DragomanError } from "../../core/error.js";

/** `at` is a pointer into the body. */
export function refused(at: string, expected: string): DragomanError {
  return new DragomanError("model/invalid", `expected ${expected}`, { at });
}

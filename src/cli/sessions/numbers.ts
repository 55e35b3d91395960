import { usageError } from "../arguments.js";

/** A whole number from 1 on, if one is given. */
export function countOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw usageError(`${option} must be a number such as 20, not "${text}"`);
}

import { count } from "../transcript/numbers.js";

/** `1 message`, `1,234 messages` */
export function counted(number: number, thing: string): string {
  return `${count(number)} ${thing}${number === 1 ? "" : "s"}`;
}

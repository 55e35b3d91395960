import { readdirSync, readFileSync } from "node:fs";
import { isSystemError } from "../core/system-error.js";

/**
 * Whether a process of the group is more than a zombie. Where nobody collects orphans, as in many containers, dead members
 * of a group stay, and can still be sent signals. Needs `/proc`; without it, every member counts.
 */
export function hasLivingMember(groupId: number): boolean {
  return processIds()?.some((id) => isLivingMember(id, groupId)) ?? true;
}

function processIds(): string[] | undefined {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function isLivingMember(processId: string, groupId: number): boolean {
  try {
    // 4711 (any name) S 1 4700 …: state, parent, group
    const stat = readFileSync(`/proc/${processId}/stat`, "utf8");
    const [state, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return group === `${groupId}` && state !== "Z" && state !== "X";
  } catch (error) {
    // It has ended since.
    if (isSystemError(error)) return false;
    throw error;
  }
}

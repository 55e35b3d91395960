import { readFileSync } from "node:fs";

/** CPU milliseconds of a process. `12 (a name) S 1 …`: the 14th and the 15th field are ticks of a hundredth of a second. */
export function cpuMsOf(pid: number | undefined): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The resident memory of a process in megabytes. */
export function residentMbOf(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

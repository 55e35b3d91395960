import { ABORTED, untilAborted } from "../../core/async/until-aborted.js";
import type { Runtime } from "../../runtime/runtime.js";
import { type Finding, failed, ok, warning } from "./finding.js";

const LIMIT_MS = 30_000;

/** For each agent that is a program: whether it answers. Starts the programs, which the runtime ends when it is closed. */
export function checkPrograms({ programs }: Runtime): Promise<Finding[]> {
  return Promise.all(
    programs.ids.map(async (id) => {
      const fix = `fix \`agents.${id}.acp\`; the command must be installed and speak the Agent Client Protocol`;
      try {
        const program = await untilAborted(programs.start(id), AbortSignal.timeout(LIMIT_MS));
        if (program === ABORTED) {
          return warning("agent", `${id}: its program did not answer within ${LIMIT_MS / 1000} seconds`, fix);
        }
        return ok("agent", `${id}: ${program.title} answers`);
      } catch (error) {
        const finding = failed("agent", error, fix);
        return { ...finding, message: `${id}: ${finding.message}` };
      }
    }),
  );
}

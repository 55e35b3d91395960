import { findGateway } from "../running-gateway.js";
import { reportLine } from "../terminal/report-line.js";

/** Reports when a changed configuration takes effect. */
export async function reportChange(home: string): Promise<void> {
  const url = await findGateway(home);
  if (url !== undefined)
    reportLine(`the gateway at ${url} uses it from now on; settings under \`gateway\` need a restart`);
}

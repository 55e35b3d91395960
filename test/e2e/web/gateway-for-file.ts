import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { requireBuild } from "../../support/cli/run-cli.js";
import { launchServe, type ServeProcess } from "../../support/cli/serve-process.js";
import { hasBrowser } from "./browser.js";

export interface GatewayForFile {
  home: string;
  url: string;
  /** The printed link. */
  link: string;
}

/**
 * One home and one `dragoman serve` for a file of tests; what it returns is there when the tests run.
 * `prepare` may put something into the home first.
 */
export function gatewayForFile(
  config: object,
  prepare: (home: string) => Promise<void> = async () => undefined,
): () => GatewayForFile {
  const over: (() => Promise<void>)[] = [];
  let served: (ServeProcess & { home: string }) | undefined;
  beforeAll(async () => {
    if (!hasBrowser) return;
    requireBuild();
    const home = mkdtempSync(join(tmpdir(), "dragoman-web-"));
    over.push(async () => rmSync(home, { recursive: true, force: true }));
    writeFileSync(join(home, "config.json"), JSON.stringify(config));
    await prepare(home);
    served = { home, ...(await launchServe(home, [], {}, (end) => over.unshift(end))) };
  });
  afterAll(async () => {
    for (const end of over) await end();
  });
  return () => {
    if (served === undefined) throw new Error("there is no gateway outside of tests");
    const { home, url, token } = served;
    return { home, url, link: `${url}/#token=${token}` };
  };
}

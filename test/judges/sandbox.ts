import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isObject, type JsonObject } from "../../src/core/json/value.js";
import type { Settings } from "./programs/program.js";

/** Empty folders for one run of a program. */
export interface Sandbox {
  /** The user's home. */
  home: string;
  /** The folder that the program works in. */
  project: string;
  /** The gateway's home. */
  gateway: string;
  /** Writes a program's settings; the whole environment and the arguments to run it with. */
  apply(settings: readonly Settings[]): { env: Record<string, string>; args: string[] };
  remove(): void;
}

/** Empty folders, and an environment in which programs reach other servers through `proxy` only. */
export function createSandbox(proxy: string): Sandbox {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dragoman-judge-")));
  const folder = (name: string) => {
    mkdirSync(join(root, name));
    return join(root, name);
  };
  const home = folder("home");
  const temporary = folder("tmp");
  const proxies = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map((name) => [name, proxy]);
  const direct = ["NO_PROXY", "no_proxy"].map((name) => [name, "127.0.0.1,localhost"]);
  const base = {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    HOME: home,
    TMPDIR: temporary,
    LANG: "C.UTF-8",
    TERM: "dumb",
    NO_COLOR: "1",
    CI: "1",
    ...Object.fromEntries([...proxies, ...direct]),
  };
  return {
    home,
    project: folder("project"),
    gateway: folder("gateway"),
    apply(settings) {
      writeFiles(home, settings);
      return {
        env: { ...base, ...Object.assign({}, ...settings.map(({ env }) => env)) },
        args: settings.flatMap(({ args = [] }) => args),
      };
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

function writeFiles(home: string, settings: readonly Settings[]): void {
  const files = new Map<string, JsonObject | string>();
  for (const [name, content] of settings.flatMap((one) => Object.entries(one.files ?? {}))) {
    const known = files.get(name);
    files.set(name, isObject(known) && isObject(content) ? { ...known, ...content } : content);
  }
  for (const [name, content] of files) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), isObject(content) ? JSON.stringify(content, null, 2) : content);
  }
}

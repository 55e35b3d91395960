import { statSync } from "node:fs";
import { removeIn, setIn } from "../core/json/edit.js";
import { changeConfig, configPath, readConfig } from "./config.js";
import type { SettingPath } from "./config-values.js";
import type { Runtime } from "./runtime.js";
import type { Config } from "./schema.js";

/** A setting's new value; undefined removes it. */
export interface SettingChange {
  path: SettingPath;
  value?: unknown;
}

export interface LiveConfigOptions {
  home: string;
  /** Reads the configuration, with what overrides it. */
  read(): Promise<Config>;
  apply(config: Config): Promise<void>;
}

/** How often the file is checked for changes. */
const CHECK_MS = 1000;

/** A home's configuration that a running program follows: its own changes at once, those of others within a second. */
export class LiveConfig {
  readonly #options: LiveConfigOptions;
  #work: Promise<void> = Promise.resolve();
  /** The version of the file that was read last. */
  #version: string;

  constructor(options: LiveConfigOptions) {
    this.#options = options;
    this.#version = versionOf(configPath(options.home));
  }

  get home(): string {
    return this.#options.home;
  }

  /** Edits the file and applies it. Every other character of the file stays; an invalid change is not written. */
  async change(changes: readonly SettingChange[]): Promise<void> {
    const edit = (text: string) =>
      changes.reduce(
        (edited, { path, value }) =>
          value === undefined ? removeIn(edited, path) : setIn(edited, path, value),
        text,
      );
    await changeConfig(this.#options.home, edit);
    await this.reload();
  }

  /** Reads the file and applies it; one at a time. */
  reload(): Promise<void> {
    const next = this.#work.then(async () => {
      this.#version = versionOf(configPath(this.#options.home));
      await this.#options.apply(await this.#options.read());
    });
    this.#work = next.catch(() => undefined);
    return next;
  }

  /** Follows changes that other programs make. An invalid file is reported, and the last valid one stays in use. */
  watch(onProblem: (error: unknown) => void): () => void {
    const path = configPath(this.#options.home);
    const check = () => {
      if (versionOf(path) !== this.#version) void this.reload().catch(onProblem);
    };
    const timer = setInterval(check, CHECK_MS).unref();
    return () => clearInterval(timer);
  }
}

/** Differs if the file was changed or replaced. */
function versionOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "" : [found.ino, found.size, found.mtimeNs].join(" ");
}

/** The configuration of a runtime's home. */
export function configOf(runtime: Pick<Runtime, "home" | "reconfigure">): LiveConfig {
  const { home } = runtime;
  return new LiveConfig({
    home,
    read: () => readConfig(home, process.env),
    apply: (config) => runtime.reconfigure(config),
  });
}

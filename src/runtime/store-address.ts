import { readFileSync } from "node:fs";
import { DragomanError } from "../core/error.js";
import { withoutComments } from "../core/json/comments.js";
import { parseJson } from "../core/json/parse.js";
import { isObject } from "../core/json/value.js";
import { openCells } from "../log/files/cells.js";
import { systemCode } from "../log/files/disk-error.js";
import { openLines } from "../log/files/line-files.js";
import type { Cell, CellCodec, Store } from "../log/store.js";
import { configPath } from "./config.js";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The address of the database that is a home's store: `requested`, `DRAGOMAN_STORE`, or `store` of its configuration. Undefined
 * if the store is the home's files.
 */
export function storeAddress(home: string, env: Environment, requested?: string): string | undefined {
  const { DRAGOMAN_STORE: set = "" } = env;
  const address = requested ?? (set === "" ? configuredStore(home) : set);
  if (address === undefined || /^postgres(ql)?:\/\//.test(address)) return address;
  throw new DragomanError("config/invalid", "the store must be a postgres:// address", {
    hint: "a store in files is the home itself: leave out the store, and set the home with --home or DRAGOMAN_HOME",
  });
}

/** Without the checks of the configuration, which most commands do not need. */
function configuredStore(home: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(configPath(home), "utf8");
  } catch (error) {
    if (systemCode(error) !== undefined) return undefined;
    throw error;
  }
  if (!text.includes('"store"')) return undefined;
  const config = parseJson(withoutComments(text));
  const address = isObject(config) ? config["store"] : undefined;
  return typeof address === "string" ? address : undefined;
}

/** The shared lines of a home's store, for commands that need nothing else of it. */
export async function linesAt(
  home: string,
  onNote: (text: string) => void,
  env: Environment = process.env,
): Promise<Pick<Store, "lines" | "lineNames">> {
  const address = storeAddress(home, env);
  return address === undefined ? openLines(home, onNote) : openDatabase(address, env);
}

async function openDatabase(address: string, env: Environment): Promise<Store> {
  const { PostgresStore } = await import("../log/postgres/postgres-store.js");
  return PostgresStore.open(address, { env, openOthers: () => noIndex() });
}

/** The cells of a home's store, for commands that need nothing else of it. */
export function cellsAt(home: string, env: Environment = process.env): Pick<Store, "cell"> {
  const address = storeAddress(home, env);
  if (address === undefined) return openCells(home);
  let opening: Promise<Store> | undefined;
  return {
    cell<T>(name: string, codec: CellCodec<T>): Cell<T> {
      let cell: Promise<Cell<T>> | undefined;
      const open = () => {
        opening ??= openDatabase(address, env);
        cell ??= opening.then((store) => store.cell(name, codec));
        return cell;
      };
      return {
        where: `${name} in the store`,
        exists: async () => (await open()).exists(),
        read: async () => (await open()).read(),
        change: async (edit) => (await open()).change(edit),
      };
    },
  };
}

function noIndex(): never {
  throw new Error("this command does not use the index");
}

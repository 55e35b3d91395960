import { within } from "../../core/async/deadline.js";
import { DragomanError } from "../../core/error.js";
import { isObject } from "../../core/json/value.js";
import { SendError } from "../types.js";

/** Calls a method of the Bot API; rejected when it is refused, or has no answer after so long. */
export type Call = (method: string, parameters: object, patienceMs?: number) => Promise<unknown>;

export interface Client {
  call: Call;
  /** A file to be uploaded, for a parameter of `call`. */
  upload(bytes: Uint8Array, name?: string): object;
}

export interface ClientOptions {
  token: string;
  apiRoot: string;
  fetch: typeof fetch;
  /** Ends every call. */
  signal: AbortSignal;
}

/** What is used of grammY. Its own types are those of its build for Node, with another `fetch` and another `AbortSignal`. */
interface Grammy {
  Api: new (
    token: string,
    options: { apiRoot: string; fetch: typeof fetch },
  ) => {
    raw: Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;
  };
  InputFile: new (bytes: Uint8Array, name?: string) => object;
}

function isGrammy(module: unknown): module is Grammy {
  return isObject(module) && typeof module["Api"] === "function" && typeof module["InputFile"] === "function";
}

const CALL_MS = 120_000;

export async function client({ token, apiRoot, fetch, signal }: ClientOptions): Promise<Client> {
  const { Api, InputFile } = await load();
  const { raw } = new Api(token, { apiRoot, fetch });
  return {
    async call(method, parameters, patienceMs = CALL_MS) {
      if (signal.aborted) throw new SendError("later", "the channel is closed");
      return await within(signal, patienceMs, async (ends) =>
        // Only this one of the methods that are called has no parameters, and then grammY wants none.
        raw[method]?.(...(method === "getMe" ? [ends] : [parameters, ends])),
      );
    },
    // grammY writes the name into a header as it is.
    upload: (bytes, name) => new InputFile(bytes, name?.replace(/[\p{Cc}";\\]/gu, "_")),
  };
}

/** grammY's build for the web: it uses the `fetch` it is given as it is, and loads in a tenth of the time. */
async function load(): Promise<Grammy> {
  let module: unknown;
  try {
    module = await import("grammy/web");
  } catch (cause) {
    throw noClient("is not installed", cause);
  }
  if (!isGrammy(module)) throw noClient("has not the parts it should have");
  return module;
}

function noClient(why: string, cause?: unknown): DragomanError {
  return new DragomanError("channel/no-client", `Telegram needs the package grammy, which ${why}`, {
    hint: "npm install grammy",
    cause,
  });
}

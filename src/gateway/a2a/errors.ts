import { JSON_RPC_CODES } from "../../core/json/json-rpc-codes.js";

/** The error codes of JSON-RPC, and those that A2A adds. */
const CODES = {
  ...JSON_RPC_CODES,
  taskNotFound: -32001,
  taskNotCancelable: -32002,
  noPushNotifications: -32003,
  unsupportedOperation: -32004,
  unsupportedContent: -32005,
  versionNotSupported: -32009,
} as const;

/** An error that is sent as the answer to a request. */
export class A2aError extends Error {
  readonly code: number;

  constructor(code: keyof typeof CODES, message: string) {
    super(message);
    this.code = CODES[code];
  }
}

export function invalidParams(message: string): A2aError {
  return new A2aError("invalidParams", message);
}

export function taskNotFound(id: string): A2aError {
  return new A2aError("taskNotFound", `there is no task ${JSON.stringify(id)}`);
}

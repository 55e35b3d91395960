import { expect, test } from "vitest";
import { storeFailure } from "./failures.js";

/** An error that the server reports. */
const reported = (code: string, message: string) =>
  Object.assign(new Error(message), { severity: "FATAL", code });

test.each([
  [
    reported("28000", 'no pg_hba.conf entry for host "10.0.0.1", user "ann", database "x", no encryption'),
    "log/unreadable",
    "the server may require encryption: add ?sslmode=verify-full to the store's address",
  ],
  [
    reported("28P01", 'password authentication failed for user "ann"'),
    "log/unreadable",
    "check the user, the password and the database in the store's address",
  ],
  [
    reported("53100", "could not extend file: No space left on device"),
    "log/disk-full",
    "make room on the database server",
  ],
  [
    reported("57P01", "terminating connection due to administrator command"),
    "log/unavailable",
    "check that the database server is running and reachable; nothing was stored",
  ],
  [
    new Error("self-signed certificate"),
    "log/unavailable",
    "if the server's authority is your own, set NODE_EXTRA_CA_CERTS to the file with its certificate",
  ],
  [
    new Error("The server does not support SSL connections"),
    "log/unavailable",
    "enable ssl on the server, or remove sslmode from the store's address",
  ],
])("%s is %s", (cause, code, hint) => {
  expect(storeFailure("postgres://db/x", cause)).toMatchObject({ code, hint });
});

import { parseJson } from "../../core/json/parse.js";
import { badRequest } from "../refusals.js";
import type { Protocol } from "../types.js";
import { HELLO_PATH, type Proofs } from "./proofs.js";

/** The first step between two gateways, before either has proved itself. */
export function linkProtocol(proofs: Proofs): Protocol {
  return {
    hooks: [
      {
        path: HELLO_PATH,
        async answer({ body }) {
          const hello = proofs.answerHello(parsed(await body()));
          if (hello === undefined) throw badRequest("a hello of a gateway has a nonce of 32 bytes");
          return { status: 200, json: hello };
        },
      },
    ],
  };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return parseJson(Buffer.from(bytes).toString("utf8"));
  } catch {
    throw badRequest("not JSON");
  }
}

import * as Type from "@sinclair/typebox";
import { named, ref } from "../core/schema/build.js";

/** JSON-RPC allows null as an id; a request without an id is a notification. */
const id = Type.Union([Type.String(), Type.Number(), Type.Null()]);
const jsonrpc = Type.Literal("2.0");

export const RpcRequest = named(
  "RpcRequest",
  Type.Object({
    jsonrpc,
    id: Type.Optional(id),
    method: Type.String(),
    params: Type.Optional(Type.Unsafe<unknown>({ type: ["object", "array"] })),
  }),
);

export const RpcError = named(
  "RpcError",
  Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
);

/** Either `result` or `error`. */
export const RpcResponse = named(
  "RpcResponse",
  Type.Unsafe<
    { jsonrpc: "2.0"; id: string | number | null } & (
      | { result: unknown; error?: never }
      | { error: { code: number; message: string; data?: unknown }; result?: never }
    )
  >({
    type: "object",
    required: ["jsonrpc", "id"],
    properties: { jsonrpc, id, error: ref(RpcError) },
    oneOf: [{ required: ["result"] }, { required: ["error"] }],
  }),
);

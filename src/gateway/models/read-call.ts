import { isObject, type JsonObject } from "../../core/json/value.js";
import type { HttpRequest } from "../types.js";
import { unservable } from "./failure.js";
import type { ModelCall } from "./family.js";

/** The request body, which is an object in every API. */
export async function readObject(request: HttpRequest): Promise<JsonObject> {
  const body = await request.json();
  if (!isObject(body)) throw unservable("", "expected a request, a JSON object");
  return body;
}

/** Reads a request that states its model and whether to stream. */
export async function readCall(request: HttpRequest, streamsByDefault: boolean): Promise<ModelCall> {
  const body = await readObject(request);
  const { stream = streamsByDefault } = body;
  const model = requireModel(body["model"]);
  if (typeof stream !== "boolean" && stream !== null) throw unservable("/stream", "expected true or false");
  return { body, model, stream: stream ?? streamsByDefault };
}

/** The model's name in a request. */
export function requireModel(model: unknown): string {
  if (typeof model === "string" && model !== "") return model;
  throw unservable("/model", "expected the name of a model");
}

import type { IncomingMessage } from "node:http";
import { isObject, type JsonObject } from "../../../src/core/json/value.js";

export interface UploadedFile {
  name: string;
  bytes: Buffer;
}

/** What came with a call: JSON, a form, or a form with files, whose fields hold JSON where they are no texts. */
export interface Parameters {
  fields: JsonObject;
  files: Map<string, UploadedFile>;
}

export async function readParameters(request: IncomingMessage): Promise<Parameters> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const body = Buffer.concat(parts);
  const type = request.headers["content-type"] ?? "";
  const files = new Map<string, UploadedFile>();
  if (body.length === 0) return { fields: {}, files };
  if (type.startsWith("application/json")) {
    const fields: unknown = JSON.parse(body.toString());
    return { fields: isObject(fields) ? fields : {}, files };
  }
  const [, boundary] = /boundary=(\S+)/.exec(type) ?? [];
  if (boundary !== undefined) return multipart(body, boundary);
  const form = Object.fromEntries(new URLSearchParams(body.toString()));
  return {
    fields: Object.fromEntries(Object.entries(form).map(([key, text]) => [key, fieldOf(text)])),
    files,
  };
}

/**
 *     --BOUNDARY
 *     content-disposition:form-data;name="photo"
 *
 *     attach://abc
 *     --BOUNDARY--
 */
function multipart(body: Buffer, boundary: string): Parameters {
  const fields: JsonObject = {};
  const files = new Map<string, UploadedFile>();
  const mark = Buffer.from(`--${boundary}`);
  let start = body.indexOf(mark) + mark.length;
  while (body.subarray(start, start + 2).toString() === "\r\n") {
    const end = body.indexOf(Buffer.concat([Buffer.from("\r\n"), mark]), start);
    const part = body.subarray(start + 2, end);
    const blank = part.indexOf("\r\n\r\n");
    const header = part.subarray(0, blank).toString();
    const content = part.subarray(blank + 4);
    const [, name = ""] = /;\s*name="([^"]*)"/i.exec(header) ?? [];
    const [, fileName] = /filename="?([^"\r\n]*)"?/i.exec(header) ?? [];
    if (fileName === undefined) fields[name] = fieldOf(content.toString());
    else files.set(name, { name: fileName, bytes: content });
    start = end + 2 + mark.length;
  }
  return { fields, files };
}

function fieldOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" || typeof value === "boolean" ? value : text;
  } catch {
    return text;
  }
}

import type { Api, Assembler, Call, StreamWriter } from "../../core/api/provider.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { unexpected } from "../../core/records/unexpected.js";
import { ChatAssembler } from "./assemble.js";
import { readRequest } from "./read-request.js";
import { LineReader } from "./stream-reader.js";
import { LineWriter } from "./stream-writer.js";

/**
 * `POST /api/generate`: a prompt instead of messages, and an answer without a message around it.
 *
 *     {"prompt":"Hi","system":"Be brief."}   {"response":"Hello","thinking":"…","done":false}
 */
export function generateApi(chat: Api): Api {
  return {
    ...chat,
    address: { path: () => "/api/generate" },
    readRequest: readGenerateRequest,
    readResponse: (body, origin) => chat.readResponse(chatLine(body), origin),
    response: (message) => generateLine(chat.response(message)),
    streamReader: (origin) => new GenerateReader(origin),
    streamWriter: generateWriter,
    assembler: generateAssembler,
  };
}

/** The conversation of one question. */
function readGenerateRequest(body: unknown): Call {
  if (!isObject(body)) throw unexpected("", "a request, an object", body);
  const { prompt, system, images, ...fields } = body;
  if (!isString(prompt)) throw unexpected("/prompt", "a text", prompt);
  if (!isString(system ?? "")) throw unexpected("/system", "a text", system);
  const pictures: unknown = images ?? [];
  if (!Array.isArray(pictures) || !pictures.every(isString)) {
    throw unexpected("/images", "a list of images in base64", images);
  }
  const question = {
    role: "user",
    content: prompt,
    ...(pictures.length === 0 ? {} : { images: pictures }),
  };
  const instruction = isString(system) && system !== "" ? [{ role: "system", content: system }] : [];
  return readRequest({ ...fields, messages: [...instruction, question] });
}

/** A line as `/api/chat` writes it. */
function chatLine(line: unknown): unknown {
  if (!isObject(line) || line["error"] !== undefined) return line;
  const { response: content = "", thinking, tool_calls, ...rest } = line;
  const message = {
    role: "assistant",
    content,
    ...(thinking === undefined ? {} : { thinking }),
    ...(tool_calls === undefined ? {} : { tool_calls }),
  };
  return { ...rest, message };
}

/** A line as `/api/generate` writes it. */
function generateLine(line: JsonObject): JsonObject {
  const { message, ...rest } = line;
  if (!isObject(message)) return line;
  const { model, created_at, ...others } = rest;
  const { role: _, content, ...fields } = message;
  return { model, created_at, response: content, ...fields, ...others };
}

class GenerateReader extends LineReader {
  override push(payload: unknown) {
    return super.push(chatLine(payload));
  }
}

function generateWriter(): StreamWriter {
  const writer = new LineWriter();
  return {
    push: (event) =>
      writer.push(event).map(({ data }) => ({ data: isObject(data) ? generateLine(data) : data })),
  };
}

function generateAssembler(): Assembler {
  const assembler = new ChatAssembler();
  return {
    push: (payload) => assembler.push(chatLine(payload)),
    response: () => generateLine(assembler.response()),
  };
}

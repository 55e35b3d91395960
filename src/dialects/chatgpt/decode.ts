import type { Decoded, JsonRecord } from "../../core/dialect.js";
import { DragomanError } from "../../core/error.js";
import { isObject, isString, type JsonObject } from "../../core/json/value.js";
import { impliedStop } from "../../core/message/neutral.js";
import { emptyUsage } from "../../core/message/usage.js";
import { deviations, sorted } from "../../core/records/deviation.js";
import { isLeaf, readLeaf } from "../../core/records/leaf-record.js";
import { instantOfSeconds } from "../../core/time.js";
import type { AgentMessage, AssistantMessage, SessionMessage, UserContent } from "../../core/types.js";
import { attachmentsIn, readAlone, readPart } from "./blocks.js";
import { readCall, readThoughts } from "./calls.js";
import { ourConversation, ourNode } from "./encode.js";
import { extWith } from "./notes.js";
import {
  type HeaderRecord,
  isCall,
  isHeader,
  isNode,
  messageIn,
  NAME,
  type NodeRecord,
  objectIn,
} from "./wire.js";

export function decode(unit: readonly JsonRecord[]): Decoded[] {
  return unit.map((record, index) => {
    if (isHeader(record)) return { message: decodeHeader(record), record: index };
    if (isLeaf(record)) return { message: readLeaf(record), record: index };
    if (isNode(record)) return { message: decodeNode(record, index), record: index };
    throw new DragomanError("model/invalid", "expected a node with a message", { at: `/${index}` });
  });
}

function decodeHeader({ conversation, ...record }: HeaderRecord): SessionMessage {
  const { title, create_time: created } = conversation;
  const id = conversation["conversation_id"] ?? conversation["id"];
  const time = instantOfSeconds(created);
  const session: SessionMessage = {
    role: "session",
    ...(isString(id) ? { id } : {}),
    ...(isString(title) ? { title } : {}),
    timestamp: time ?? 0,
  };
  const synthesised = time === undefined ? ["/timestamp"] : [];
  const deviation = sorted(deviations(conversation, ourConversation(session), { inside: "all" }));
  return { ...session, ...extWith({ ...deviation, record: noted(record) }, synthesised) };
}

function decodeNode(record: NodeRecord, index: number): AgentMessage {
  const { node, parent, ...rest } = record;
  const read = new NodeReader(record, index).read();
  const { synthesised = [], ...message } = read;
  const { isAnswer: _, ...beside } = rest;
  const deviation = sorted(deviations(node, ourNode(message) ?? {}, { inside: "all", guarded: true }));
  return { ...message, ...extWith({ ...deviation, record: noted(beside) }, synthesised) };
}

function noted(record: JsonObject): JsonObject | undefined {
  return Object.keys(record).length > 0 ? record : undefined;
}

type Read = AgentMessage & { synthesised?: string[] };

class NodeReader {
  readonly #record: NodeRecord;
  readonly #message: JsonObject;
  readonly #content: JsonObject;
  readonly #at: string;
  readonly #synthesised: string[] = [];

  constructor(record: NodeRecord, index: number) {
    this.#record = record;
    this.#message = messageIn(record.node);
    this.#content = objectIn(this.#message, "content");
    this.#at = `/${index}/message`;
  }

  read(): Read {
    const role = this.#role();
    const identity = this.#identity();
    const message = this.#byRole(role, identity);
    return { ...message, synthesised: this.#synthesised };
  }

  #role(): string {
    const { role } = objectIn(this.#message, "author");
    if (isString(role)) return role;
    throw new DragomanError("model/invalid", 'expected the role of the author in "author"', { at: this.#at });
  }

  #identity() {
    // Other nodes refer to the key.
    const id = this.#record.key ?? this.#record.node["id"];
    const time = instantOfSeconds(this.#message["create_time"]);
    if (time === undefined) this.#synthesised.push("/timestamp");
    return {
      timestamp: time ?? 0,
      ...(isString(id) ? { id } : {}),
      ...(this.#record.parent === undefined ? {} : { parentId: this.#record.parent }),
    };
  }

  #byRole(role: string, identity: Identity): AgentMessage {
    const blocks = this.#blocks();
    if (role === "assistant") return this.#answer(identity, blocks) ?? this.#custom(identity);
    if (blocks === undefined) return this.#custom(identity);
    if (role === "user") return { role, content: textOrBlocks(blocks), ...identity };
    if (role === "system" && !isBlank(blocks)) return { role, content: textOrBlocks(blocks), ...identity };
    if (role === "tool" && this.#record.isAnswer === true) return this.#result(identity, blocks);
    return this.#custom(identity, role === "tool" && !isBlank(blocks) ? blocks : undefined);
  }

  /** The text, images and files of a message; undefined for content that is not part of the conversation. */
  #blocks(): UserContent[] | undefined {
    const { content_type: type, parts } = this.#content;
    const files = attachmentsIn(this.#message);
    if (Array.isArray(parts) && (type === "text" || type === "multimodal_text")) {
      return [...parts.map(readPart), ...files];
    }
    const alone = readAlone(this.#content);
    return alone === undefined ? undefined : [alone, ...files];
  }

  #answer(identity: Identity, blocks: UserContent[] | undefined): AssistantMessage | undefined {
    const call = isCall(this.#record.node) ? readCall(this.#message, identity.id) : undefined;
    const content = call ?? readThoughts(this.#content) ?? blocks;
    if (content === undefined) return undefined;
    const { model_slug: model, finish_details: finish } = objectIn(this.#message, "metadata");
    const stop = isObject(finish) && isString(finish["type"]) ? stops.get(finish["type"]) : undefined;
    this.#synthesised.unshift(
      "/api",
      "/provider",
      ...(isString(model) ? [] : ["/model"]),
      "/usage",
      ...(stop === undefined ? ["/stopReason"] : []),
    );
    return {
      role: "assistant",
      content,
      api: "",
      provider: "",
      model: isString(model) ? model : "",
      usage: emptyUsage(),
      stopReason: stop ?? impliedStop(content),
      ...identity,
    };
  }

  #result(identity: Identity, blocks: UserContent[]): AgentMessage {
    const { name } = objectIn(this.#message, "author");
    const isError = this.#content["content_type"] === "system_error";
    this.#synthesised.unshift(...(isString(name) ? [] : ["/toolName"]), ...(isError ? [] : ["/isError"]));
    return {
      role: "toolResult",
      // The export has no call ids: the result is the child of its call.
      toolCallId: this.#record.parent ?? "",
      toolName: isString(name) ? name : "",
      content: blocks,
      isError,
      ...identity,
    };
  }

  /** Anything else is kept, and not part of the conversation unless it has content. */
  #custom(identity: Identity, content?: UserContent[]): AgentMessage {
    const { content_type: type } = this.#content;
    const { role } = objectIn(this.#message, "author");
    const isNamed = content === undefined && isString(type) && !type.endsWith("text");
    const kind = isNamed ? type : String(role);
    return {
      role: "custom",
      customType: `${NAME}/${kind}`,
      ...(content === undefined ? { data: this.#content } : { content }),
      ...identity,
    };
  }
}

interface Identity {
  timestamp: number;
  id?: string;
  parentId?: string | null;
}

const stops = new Map<string, AssistantMessage["stopReason"]>([
  ["stop", "stop"],
  ["max_tokens", "length"],
  ["interrupted", "aborted"],
]);

function textOrBlocks(blocks: UserContent[]): string | UserContent[] {
  const [first] = blocks;
  const isPlain = blocks.length === 1 && first?.type === "text" && first.ext === undefined;
  return isPlain ? first.text : blocks;
}

function isBlank(blocks: readonly UserContent[]): boolean {
  return blocks.every((block) => block.type === "text" && block.text === "");
}

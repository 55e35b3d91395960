import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { AnyObject, Ext, named, tagged } from "./build.js";

const ext = Type.Optional(Ext);

export const TextContent = named(
  "TextContent",
  Type.Object({
    type: Type.Literal("text"),
    text: Type.String(),
    textSignature: Type.Optional(Type.String()),
    ext,
  }),
);

export const ThinkingContent = named(
  "ThinkingContent",
  Type.Object({
    type: Type.Literal("thinking"),
    thinking: Type.String(),
    thinkingSignature: Type.Optional(Type.String()),
    /** The provider withheld the text; only the signature is left. */
    redacted: Type.Optional(Type.Boolean()),
    ext,
  }),
);

/** Bytes in the message, or a URL to fetch them from. */
type Bytes =
  | { data: string; mimeType: string; url?: never }
  | { url: string; mimeType?: string; data?: never };

function media<T extends string, More = unknown>(type: T, more: Record<string, unknown> = {}) {
  return Type.Unsafe<{ type: T; name?: string; ext?: Static<typeof Ext> } & More & Bytes>({
    type: "object",
    required: ["type"],
    properties: {
      type: { const: type, type: "string" },
      data: { type: "string", description: "base64" },
      url: { type: "string" },
      mimeType: { type: "string" },
      name: { type: "string" },
      ...more,
      ext: Ext,
    },
    anyOf: [{ required: ["data", "mimeType"] }, { required: ["url"] }],
  });
}

/** How closely a model should look at an image. */
type Detail = { detail?: "low" | "high" | "auto" };

export const ImageContent = named(
  "ImageContent",
  media<"image", Detail>("image", { detail: { enum: ["low", "high", "auto"] } }),
);
export const AudioContent = named("AudioContent", media("audio"));
export const FileContent = named("FileContent", media("file"));

export const ToolCall = named(
  "ToolCall",
  Type.Object({
    type: Type.Literal("toolCall"),
    id: Type.String(),
    name: Type.String(),
    arguments: AnyObject,
    thoughtSignature: Type.Optional(Type.String()),
    /** Why `arguments` differs from what the model wrote: the text was cut off, or was not JSON. */
    argumentsError: Type.Optional(Type.String()),
    ext,
  }),
);

/** A block that only its own dialect understands, kept unchanged. */
export const OpaqueContent = named(
  "OpaqueContent",
  Type.Object({ type: Type.Literal("opaque"), dialect: Type.String(), value: Type.Unknown(), ext }),
);

export const UserContent = named(
  "UserContent",
  tagged("type", [TextContent, ImageContent, AudioContent, FileContent, OpaqueContent]),
);

export const AssistantContent = named(
  "AssistantContent",
  tagged("type", [
    TextContent,
    ThinkingContent,
    ToolCall,
    ImageContent,
    AudioContent,
    FileContent,
    OpaqueContent,
  ]),
);

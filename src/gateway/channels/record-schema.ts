import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { Chat, Inbound, list, oneOf } from "../../channels/message-schema.js";
import { PeopleFile } from "../../channels/people-schema.js";
import type { Outgoing } from "../../channels/types.js";
import { named, ref, tagged } from "../../core/schema/build.js";

export type { Chat, PeopleFile };

const text = Type.String();
const number = Type.Number();
const optional = { text: Type.Optional(text), number: Type.Optional(number) };

/** Files of the first version do not name the author. */
export const Seen = named(
  "Seen",
  Type.Unsafe<readonly [key: string, at: number, author?: string]>({
    type: "array",
    prefixItems: [text, number, text],
    minItems: 2,
    items: true,
  }),
);
export type Seen = Static<typeof Seen>;

/**
 * A line of `inbox.jsonl`. A message is identified by its key:
 *
 *     in ─┬─▶ context ────────▶ done (shown with an answered message)
 *         ├─▶ batch ──────────▶ done (in a session's log)
 *         └───────────────────▶ done (nothing to do)
 */
export const InboxRecord = named(
  "InboxRecord",
  tagged("type", [
    Type.Object({ type: Type.Literal("in"), key: text, at: number, inbound: Inbound }),
    Type.Object({ type: Type.Literal("context"), keys: list(text) }),
    /** Sent to the agent as one message, under the first one's key, also when retried after a crash. */
    Type.Object({ type: Type.Literal("batch"), keys: list(text) }),
    /** `place`: the context of that chat was sent with them. */
    Type.Object({ type: Type.Literal("done"), keys: list(text), place: optional.text }),
    /** A person who may ask has written in the chat, so other people's messages are kept as context. */
    Type.Object({ type: Type.Literal("open"), chat: text }),
    /** What compaction keeps of finished messages. Damaged entries are skipped one by one. */
    Type.Object({ type: Type.Literal("seen"), ids: Type.Unsafe<readonly Seen[]>({ type: "array" }) }),
  ]),
);
export type InboxRecord = Static<typeof InboxRecord>;

/** Where the answers to a message go. */
const ReplyTarget = Type.Object({
  place: ref(Chat),
  /** In a group: the message the answer replies to. */
  replyTo: optional.text,
});
export type ReplyTarget = Static<typeof ReplyTarget>;

const Part = Type.Unsafe<Outgoing>(
  Type.Object({
    native: Type.Unknown(),
    mediaUrl: optional.text,
    mediaUrls: Type.Optional(list(text)),
  }),
);

/**
 * The state of a request to the platform. `sending` is written before the send: after a crash its outcome is unknown, and it is
 * not sent again.
 */
const PartState = oneOf(["pending", "sending", "sent", "unknown", "refused"]);
export type PartState = Static<typeof PartState>;

/** A line of `outbox.jsonl`. */
export const OutboxRecord = named(
  "OutboxRecord",
  tagged("type", [
    /** From this position on, the session's answers go to this account. */
    Type.Object({
      type: Type.Literal("follow"),
      session: text,
      from: number,
      asked: Type.Optional(ReplyTarget),
    }),
    /** No one there is waiting for an answer. */
    Type.Object({ type: Type.Literal("settled"), session: text }),
    /** `next`: how far the session was read. */
    Type.Object({
      type: Type.Literal("answer"),
      id: text,
      at: number,
      asked: ReplyTarget,
      parts: list(Part),
      session: optional.text,
      next: optional.number,
      /** The permission request that it shows. */
      question: optional.text,
      /** The request has a form, so that any reply to its message is an answer. */
      isForm: Type.Optional(Type.Literal(true)),
      /** The permission request whose message it replaces, if the platform supports edits. */
      replaces: optional.text,
      /** The parts' keys (default: their indexes). */
      keys: Type.Optional(list(text)),
    }),
    /** The platform refused a part and may accept these instead. */
    Type.Object({
      type: Type.Literal("split"),
      id: text,
      index: number,
      parts: Type.Unsafe<readonly Outgoing[]>(Type.Array(Part, { minItems: 1 })),
    }),
    /**
     * `anew`: it is sent as a new message instead of replacing another one. `as`: the platform's id of a permission request's
     * message. `why` and `at`: what failed, and when.
     */
    Type.Object({
      type: Type.Literal("part"),
      id: text,
      index: number,
      state: PartState,
      why: optional.text,
      at: optional.number,
      anew: Type.Optional(Type.Boolean()),
      as: optional.text,
    }),
    /** A chat shows this permission request, in the message `as`. */
    Type.Object({
      type: Type.Literal("question"),
      id: text,
      session: text,
      place: ref(Chat),
      as: text,
      isForm: Type.Optional(Type.Literal(true)),
    }),
    /** The beginning of an answer, shown while the rest is generated. */
    Type.Object({
      type: Type.Literal("preview"),
      session: text,
      place: ref(Chat),
      state: oneOf(["sending", "sent", "gone"]),
      as: optional.text,
    }),
    /** The answer's first part replaces the preview. */
    Type.Object({ type: Type.Literal("adopt"), id: text, session: text }),
    Type.Object({
      type: Type.Literal("trouble"),
      id: text,
      at: number,
      state: oneOf(["unknown", "refused"]),
      why: text,
    }),
    Type.Object({ type: Type.Literal("remember"), ids: list(text) }),
  ]),
);
export type OutboxRecord = Static<typeof OutboxRecord>;

/** Internal files; their schemas are not published. */
export const recordSchemas = [Chat, PeopleFile, Seen, InboxRecord, OutboxRecord];

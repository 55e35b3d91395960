import { type Static, Type } from "@sinclair/typebox";
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
 * A line of `inbox.jsonl`. A message is named by its key, and goes this way:
 *
 *     in ─┬─▶ context ────────▶ done (given with a message that was answered)
 *         ├─▶ batch ──────────▶ done (it is in the log of a session)
 *         └───────────────────▶ done (nothing has to be done about it)
 */
export const InboxRecord = named(
  "InboxRecord",
  tagged("type", [
    Type.Object({ type: Type.Literal("in"), key: text, at: number, inbound: Inbound }),
    Type.Object({ type: Type.Literal("context"), keys: list(text) }),
    /** They are told to the agent as one, under the first one's key: also when the process dies before it knows that they were. */
    Type.Object({ type: Type.Literal("batch"), keys: list(text) }),
    /** `place`: with them went what was kept of that place. */
    Type.Object({ type: Type.Literal("done"), keys: list(text), place: optional.text }),
    /** Somebody who may ask has written there, so that what others say there is kept. */
    Type.Object({ type: Type.Literal("open"), chat: text }),
    /** What is left of messages that are done, when the file is written anew. One that is damaged costs no other. */
    Type.Object({ type: Type.Literal("seen"), ids: Type.Unsafe<readonly Seen[]>({ type: "array" }) }),
  ]),
);
export type InboxRecord = Static<typeof InboxRecord>;

/** Where the answers to a message go. */
const ReplyTarget = Type.Object({
  place: ref(Chat),
  /** In a group they say what they answer. */
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
 * What is known of a request to the platform. `sending` is written before it goes out: whoever finds it after a crash does not
 * know whether it arrived, and does not send it again.
 */
const PartState = oneOf(["pending", "sending", "sent", "unknown", "refused"]);
export type PartState = Static<typeof PartState>;

/** A line of `outbox.jsonl`. */
export const OutboxRecord = named(
  "OutboxRecord",
  tagged("type", [
    /** Answers in this session, from here on, are for this account. */
    Type.Object({
      type: Type.Literal("follow"),
      session: text,
      from: number,
      asked: Type.Optional(ReplyTarget),
    }),
    /** Nobody there waits for an answer. */
    Type.Object({ type: Type.Literal("settled"), session: text }),
    /** With `next` it also says how far the session was read. */
    Type.Object({
      type: Type.Literal("answer"),
      id: text,
      at: number,
      asked: ReplyTarget,
      parts: list(Part),
      session: optional.text,
      next: optional.number,
      /** Of the parts, where they are not their numbers. */
      keys: Type.Optional(list(text)),
    }),
    /** The platform refused a part, and may take these instead. Without one nothing would be left to be settled. */
    Type.Object({
      type: Type.Literal("split"),
      id: text,
      index: number,
      parts: Type.Unsafe<readonly Outgoing[]>(Type.Array(Part, { minItems: 1 })),
    }),
    /** `anew`: it does not become what the preview was. `why` and `at`: what went wrong, and when. */
    Type.Object({
      type: Type.Literal("part"),
      id: text,
      index: number,
      state: PartState,
      why: optional.text,
      at: optional.number,
      anew: Type.Optional(Type.Boolean()),
    }),
    /** The beginning of an answer, shown while the rest is made. */
    Type.Object({
      type: Type.Literal("preview"),
      session: text,
      place: ref(Chat),
      state: oneOf(["sending", "sent", "gone"]),
      as: optional.text,
    }),
    /** The first part of an answer takes the place of the preview. */
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

/** What is checked when it is read again; it is nobody else's business, and not published. */
export const recordSchemas = [Chat, PeopleFile, Seen, InboxRecord, OutboxRecord];

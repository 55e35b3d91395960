import type { Static } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";
import { named } from "../core/schema/build.js";
import { list } from "./message-schema.js";

const personFields = {
  id: Type.String({ pattern: "[\\s\\S]" }),
  name: Type.Optional(Type.String()),
  /** Unix milliseconds. */
  since: Type.Number(),
};

/** A person who got a pairing code and waits for approval. */
const Pending = Type.Object({
  code: Type.String(),
  ...personFields,
  /** The message the code answers: if it is handled again, the code stays the same. */
  message: Type.String(),
});
export type Pending = Static<typeof Pending>;

/** A person the owner approved. */
const ApprovedPerson = Type.Object({ ...personFields, owner: Type.Boolean() });
export type ApprovedPerson = Static<typeof ApprovedPerson>;

/** An account's approved and pending people. */
const people = { approved: list(ApprovedPerson), pending: list(Pending) };
export type People = { [N in keyof typeof people]: Static<(typeof people)[N]> };

/** An account's `people.json`. */
export const PeopleFile = named("PeopleFile", Type.Object({ version: Type.Literal(1), ...people }));
export type PeopleFile = Static<typeof PeopleFile>;

import { type Static, Type } from "@sinclair/typebox";
import { named } from "../core/schema/build.js";
import { list } from "./message-schema.js";

const somebody = {
  id: Type.String({ pattern: "[\\s\\S]" }),
  name: Type.Optional(Type.String()),
  /** Unix milliseconds. */
  since: Type.Number(),
};

/** Somebody who was told a code, and waits for the owner. */
const Pending = Type.Object({
  code: Type.String(),
  ...somebody,
  /** The message the code answers: should it be handled again, it is the same code. */
  message: Type.String(),
});
export type Pending = Static<typeof Pending>;

/** Somebody the owner approved. */
const ApprovedPerson = Type.Object({ ...somebody, owner: Type.Boolean() });
export type ApprovedPerson = Static<typeof ApprovedPerson>;

/** Who was let in to an account, and who asks for it. */
const people = { approved: list(ApprovedPerson), pending: list(Pending) };
export type People = { [N in keyof typeof people]: Static<(typeof people)[N]> };

/** `people.json` of an account. */
export const PeopleFile = named("PeopleFile", Type.Object({ version: Type.Literal(1), ...people }));
export type PeopleFile = Static<typeof PeopleFile>;

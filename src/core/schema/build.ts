import type { Static, TProperties, TSchema } from "@sinclair/typebox";
import * as Type from "@sinclair/typebox";

/** Gives a schema the file name under which it is published and referenced. */
export function named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, $id: `${name}.json`, title: name };
}

/** References a named schema by its file, so that it is published and validated once. */
export function ref<T extends TSchema>(schema: T) {
  return Type.Unsafe<Static<T>>({ $ref: schema.$id });
}

/**
 * A union whose members differ in one literal field. The validator reads that field first and reports only the errors
 * of the member it names, where `anyOf` would report those of every member.
 */
export function tagged<T extends TSchema[]>(tag: string, members: [...T]) {
  return Type.Unsafe<Static<T[number]>>({
    type: "object",
    required: [tag],
    discriminator: { propertyName: tag },
    oneOf: members.map((member) => (member.$id === undefined ? member : { $ref: member.$id })),
  });
}

/** The tagged union with more members. */
export function withMembers<U extends TSchema, T extends TSchema[]>(union: U, members: [...T]) {
  const { $id: _id, title: _title, oneOf, ...schema }: TSchema = union;
  return Type.Unsafe<Static<U> | Static<T[number]>>({ ...schema, oneOf: [...oneOf, ...members] });
}

/** Any JSON object. */
export const AnyObject = Type.Unsafe<Record<string, unknown>>({ type: "object" });

/**
 * Data that only one dialect has, under that dialect's name, so that it can be written back. `synthesised` lists
 * the fields (as JSON pointers into the message) that the model requires and the source lacked.
 */
export const Ext = Type.Unsafe<{ synthesised?: string[]; [dialect: string]: unknown }>({
  type: "object",
  properties: { synthesised: { type: "array", items: { type: "string" } } },
});

const identity = {
  /** A ULID in our own log; otherwise the source's id. */
  id: Type.Optional(Type.String()),
  /** The message this one follows; absent in a linear transcript, null at a root. */
  parentId: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** The author, if several users or agents share a thread. */
  sender: Type.Optional(Type.String()),
  ext: Type.Optional(Ext),
};

/** A message: its role, its own fields, a timestamp in Unix milliseconds, and the fields that every message may have. */
export function message<R extends string, P extends TProperties>(role: R, properties: P) {
  return named(
    `${role.charAt(0).toUpperCase()}${role.slice(1)}Message`,
    Type.Object({ role: Type.Literal(role), ...properties, timestamp: Type.Number(), ...identity }),
  );
}

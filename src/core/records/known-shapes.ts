/**
 * What the records of a dialect are known to contain: fields and types, never content. `check --drift` reports what differs.
 *
 *     <user>: uuid, parentUuid null|string, message object, toolUseResult any
 *     <user>.message<user>: content string|object[]
 *     <user>.message<user>.content[]<text>: text
 *
 * A line has the path of an object and its fields. `<…>` are the values of the object's tags, `[]` are the members of an
 * array. A field without a type is a string. The type `any` is that of free-form fields. An indented line continues the line
 * before it.
 */
export interface KnownShapes {
  /** The fields whose values name the kind of their object. */
  readonly tags: readonly string[];
  /** Other fields with a fixed set of values, which the list quotes. */
  readonly enums: readonly string[];
  /**
   * The free-form fields, such as a tool's arguments or a map whose keys are ids or paths: by name, or by the end of the path
   * (`<user>.content`). Nothing in them is examined.
   */
  readonly free: readonly string[];
  /** The field of a record that can contain an array of records. */
  readonly records?: string;
  readonly objects: string;
}

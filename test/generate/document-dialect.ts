import type { Dialect } from "../../src/core/dialect.js";
import { DragomanError } from "../../src/core/error.js";
import { isObject } from "../../src/core/json/value.js";
import { admit, release } from "../../src/core/records/admit.js";

/**
 * The smallest dialect whose file is one JSON document: `{"messages":[…],…}`. It has one known mistake, a `text` in the
 * place of `content`, and one drift, a `mood`.
 */
export const notebook: Dialect = {
  name: "notebook",
  title: "a notebook",
  kind: "transcript",
  framing: {
    kind: "document",
    split(document) {
      if (!isObject(document) || !Array.isArray(document["messages"])) {
        throw new DragomanError("model/invalid", "expected messages", { at: "" });
      }
      return document["messages"];
    },
    join: (messages) => ({ messages }),
    pointer: (index) => `/messages/${index}`,
  },
  branches: false,
  limits: [],
  detect: () => 0,
  joins: () => false,
  joinsMessage: () => false,
  decode: (unit) =>
    unit.map((record, index) => ({
      message: admit(record, "notebook", `/${index}`),
      record: index,
      base: "",
    })),
  encode: (unit) => unit.map((message) => release(message, "notebook")),
  check: (unit) =>
    unit.flatMap((record, index) =>
      "mood" in record
        ? [{ at: `/${index}/mood`, code: "notebook/mood", message: "notebooks have no mood" }]
        : [],
    ),
  mend({ text, ...rest }) {
    if (typeof text !== "string") return undefined;
    return { records: [{ ...rest, content: text }], changes: ["renamed text to content"] };
  },
};

import { expect, test } from "vitest";
import { isBoolean, isNumber, isString } from "../json/value.js";
import { FieldReader } from "./field-reader.js";

test("what was not asked for is left over, what is missing is listed", () => {
  const fields = new FieldReader({ name: "read", time: "soon", more: [1], constructor: 1 });
  expect(fields.text("name")).toBe("read");
  expect(fields.text("id", "/content/0/id")).toBe("");
  expect(fields.required("isError", isBoolean, "a boolean", false)).toBe(false);
  expect(fields.optional("time", isNumber)).toEqual({});
  expect(fields.optional("toString", isString)).toEqual({});
  fields.absent("output");
  fields.drop("constructor");
  expect(fields.synthesised).toEqual(["/content/0/id", "/isError"]);
  expect(fields.notes()).toEqual({
    fields: { time: "soon", more: [1] },
    absent: ["id", "isError", "output"],
  });
});

test("the record itself stays as it is", () => {
  const record = { a: 1, b: "x" };
  const fields = new FieldReader(record);
  expect(fields.optional("a", isNumber)).toEqual({ a: 1 });
  expect(fields.take("b")).toBe("x");
  expect(fields.rest).toEqual({});
  expect(record).toEqual({ a: 1, b: "x" });
});

test("a required field of another type is refused with its place", () => {
  const fields = new FieldReader({ id: { x: 1 } }, "/3/v");
  expect(() => fields.text("id")).toThrow(
    expect.objectContaining({
      code: "model/invalid",
      message: 'expected a string, found {"x":1}',
      at: "/3/v/id",
    }),
  );
});

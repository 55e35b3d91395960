import { expect, test } from "vitest";
import type { Question } from "../types.js";
import { contentSchema, fieldsOf, questionText } from "./question.js";

const options = [
  { value: "1", title: "First" },
  { value: "2", title: "Second" },
];
const question: Question = {
  server: "travel",
  message: "How many?",
  fields: [
    { name: "seats", title: "Seats", type: "integer", required: true },
    {
      name: "window",
      title: "Window",
      description: "a seat",
      type: "boolean",
      required: false,
      default: true,
    },
    { name: "class", title: "Class", type: "choice", options, required: true, default: "2" },
    { name: "days", title: "Days", type: "choices", options, required: false },
    { name: "price", title: "Price", type: "number", required: false },
    { name: "note", title: "Note", type: "text", required: false },
  ],
};

test("a form's schema states what each field accepts", () => {
  const constants = [
    { const: "1", title: "First" },
    { const: "2", title: "Second" },
  ];
  expect(contentSchema(question)).toEqual({
    type: "object",
    properties: {
      seats: { title: "Seats", type: "integer" },
      window: { title: "Window", description: "a seat", type: "boolean", default: true },
      class: { title: "Class", type: "string", oneOf: constants, default: "2" },
      days: { title: "Days", type: "array", items: { anyOf: constants } },
      price: { title: "Price", type: "number" },
      note: { title: "Note", type: "string" },
    },
    required: ["seats", "class"],
  });
});

test("the same fields are read from it", () => {
  const { properties, required } = contentSchema(question);
  expect(fieldsOf(Object(properties), Object(required))).toEqual(question.fields);
});

test("a page that the user should open is part of the text", () => {
  expect(questionText({ ...question, url: "https://a.example/x" })).toBe(
    "How many?\n\nPage to open: https://a.example/x",
  );
});

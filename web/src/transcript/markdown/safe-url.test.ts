import { expect, test } from "vitest";
import { dataImage, safeImage, safeLink } from "./safe-url.js";

test.each([
  ["https://a.example/x?y=1", "https://a.example/x?y=1"],
  ["HTTP://A.example", "http://a.example/"],
  ["mailto:a@b.example", "mailto:a@b.example"],
  ["javascript:alert(1)", undefined],
  ["java\nscript:alert(1)", undefined],
  ["\u0001javascript:alert(1)", undefined],
  ["JaVaScRiPt:alert(1)", undefined],
  ["data:text/html,<script>alert(1)</script>", undefined],
  ["vbscript:x", undefined],
  ["file:///etc/passwd", undefined],
  ["blob:https://a.example/1", undefined],
  ["//a.example/x", undefined],
  ["/view", undefined],
  ["#x", undefined],
  ["", undefined],
])("the link %j", (href, expected) => {
  expect(safeLink(href)).toBe(expected);
});

test.each([
  ["data:image/png;base64,iVBORw0KGgo=", true],
  ["data:image/svg+xml;base64,PHN2Zz4=", false],
  ["data:image/png,raw", false],
  ["data:text/html;base64,aGk=", false],
  ["https://a.example/x.png", false],
])("the image %j", (src, shown) => {
  expect(safeImage(src)).toBe(shown ? src : undefined);
});

test("bytes of a kind that can hold a program are no image", () => {
  expect(dataImage("image/webp", "AA==")).toBe("data:image/webp;base64,AA==");
  expect(dataImage("image/svg+xml", "AA==")).toBeUndefined();
  expect(dataImage('image/png" onerror="', "AA==")).toBeUndefined();
});

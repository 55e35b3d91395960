import { expect, test } from "vitest";
import { columnsIn, indexedColumn } from "./definition.js";

test("columns are named before their types, constraints are not columns", () => {
  const sql =
    "CREATE TABLE `a` (`id` text PRIMARY KEY, \"we,ird\" numeric(3, 2), c DEFAULT ',(', primary_key int, FOREIGN KEY (`id`) REFERENCES `b`(`id`), UNIQUE(c))";
  expect(columnsIn(sql)).toEqual(["id", "we,ird", "c", "primary_key"]);
});

test("an index lists rows by its first column, if it lists all of them", () => {
  expect(indexedColumn("CREATE UNIQUE INDEX `i` ON `part` (`message_id`,`id`)")).toBe("message_id");
  expect(indexedColumn("CREATE INDEX i ON part (kind) WHERE kind > 3")).toBeUndefined();
});

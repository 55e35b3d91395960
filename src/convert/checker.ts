import type { Api } from "../core/api/provider.js";
import type { Dialect, FoldLoss, Problem } from "../core/dialect.js";
import { DragomanError } from "../core/error.js";
import { lineAndColumn } from "../core/json/locate.js";
import { findInexactNumbers } from "../core/json/numbers.js";
import { findRepeatedKeys } from "../core/json/repeated-keys.js";
import { isUnchanged } from "../core/json/unchanged.js";
import { MessageDecoder, type SourceMessage } from "./decode.js";
import { finding } from "./meaning/catalogue.js";
import { contentRule } from "./meaning/content.js";
import { PairingRule } from "./meaning/pairing-rule.js";
import type { Rule } from "./meaning/rule.js";
import { timeRule } from "./meaning/time.js";
import { TreeRule } from "./meaning/tree.js";
import { Turns } from "./meaning/turns.js";
import { orderRule } from "./provider-rules/order.js";
import { providerRule } from "./provider-rules/provider-rule.js";
import {
  inSource,
  type RecordReader,
  recordReader,
  type SourceRecord,
  type SourceText,
  type TextStart,
} from "./read.js";
import { type Finding, Report, type Spot } from "./report.js";

/** Hints for errors that have none. */
const hints: Record<string, string> = {
  "json/syntax": "correct it; `dragoman repair` sets unreadable text aside",
  "json/too-deep": "`dragoman repair` sets it aside",
  "model/invalid": "correct it; `dragoman repair` applies unambiguous fixes and sets the rest aside",
};

/** Bytes of a transcript in, problems out as they are found; with an API, also what that API would refuse. */
export class Checker {
  readonly #dialect: Dialect;
  readonly #report: Report;
  readonly #onProblem: (problem: Problem) => void;
  readonly #reader: RecordReader;
  readonly #decoder: MessageDecoder;
  readonly #rules: readonly Rule[];
  /** All records, for a dialect with `checkAll`. */
  readonly #records: SourceRecord[] = [];
  #failed = false;

  constructor(
    dialect: Dialect,
    api: Api | undefined,
    onProblem: (problem: Problem) => void,
    start?: TextStart,
  ) {
    this.#dialect = dialect;
    this.#onProblem = onProblem;
    this.#report = new Report(dialect, onProblem);
    this.#rules = rulesFor(dialect, api, this.#report);
    this.#reader = recordReader(dialect.framing, {
      start,
      onBad: (error, bad) => this.#addUnread(error, bad),
      onFolded: (loss, line) => this.#addFolded(loss, line),
      onText: (text, place, value) => this.#readText(text, place, value),
    });
    this.#decoder = new MessageDecoder(dialect, {
      onUnit: (unit) => this.#addDrifts(unit, dialect.check),
      onBad: (error, unit) => this.#addUndecoded(error, unit),
    });
  }

  push(chunk: Uint8Array): void {
    this.#read(() => this.#reader.push(chunk));
  }

  finish(): void {
    this.#read(() => this.#reader.finish());
    this.#applyRules(this.#decoder.finish());
    this.#addDrifts(this.#records, this.#dialect.checkAll);
    for (const rule of this.#rules) rule.finish?.();
    this.#report.finish();
  }

  /** Reading stops for good when the framing itself fails, such as at an endless line. */
  #read(next: () => Iterable<SourceRecord>): void {
    if (this.#failed) return;
    let records: Iterable<SourceRecord> = [];
    try {
      records = next();
    } catch (error) {
      if (!(error instanceof DragomanError)) throw error;
      this.#failed = true;
      this.#addUnread(error, { at: "", line: 1, text: "" });
    }
    for (const record of records) {
      if (this.#dialect.checkAll !== undefined) this.#records.push(record);
      this.#applyRules(this.#decoder.push(record));
      this.#report.endRecord();
    }
  }

  #applyRules(messages: readonly SourceMessage[]): void {
    for (const message of messages) for (const rule of this.#rules) rule.check(message);
  }

  #addUnread(error: DragomanError, bad: SourceText): void {
    const { at = bad.at, line = bad.line, column = 1 } = error;
    this.#onProblem({ at, line, column, ...findingOf(error) });
  }

  #addUndecoded(error: DragomanError, unit: readonly SourceRecord[]): void {
    this.#report.add(spotInUnit(unit, error.at ?? "/0"), findingOf(error));
  }

  #addDrifts(records: readonly SourceRecord[], check: Dialect["check"]): void {
    for (const { at, ...drift } of check?.(records.map(({ value }) => value)) ?? []) {
      this.#report.add(spotInUnit(records, at), { severity: "warning", ...drift });
    }
  }

  #readText(text: string, place: { at: string; line: number; column?: number }, value: unknown): void {
    const add = (offset: number, found: Finding) => {
      this.#onProblem({ at: place.at, ...inSource(lineAndColumn(text, offset), place), ...found });
    };
    if (this.#dialect.framing.kind !== "document" && text.includes("\n")) {
      add(0, finding("framing/several-lines", "the record spans several lines"));
    }
    if (isUnchanged(text, value)) return;
    for (const { offset, source } of findInexactNumbers(text)) {
      const message = `the number ${source} is read as ${JSON.stringify(Number(source))}`;
      add(offset, finding("json/inexact-number", message));
    }
    for (const { offset, key } of findRepeatedKeys(text)) {
      const message = `the key ${JSON.stringify(key)} is repeated; the last one is used`;
      add(offset, finding("json/duplicate-key", message));
    }
  }

  #addFolded({ at, what, why }: FoldLoss, line: number): void {
    this.#onProblem({ at, line, column: 1, ...finding("framing/not-kept", `${what}: ${why}`) });
  }
}

function rulesFor(dialect: Dialect, api: Api | undefined, report: Report): Rule[] {
  const pairing = new PairingRule(report);
  const always = [contentRule(report), timeRule(report), new TreeRule(report, dialect.branches)];
  if (api === undefined) return [...always, new Turns(report, dialect, [pairing])];
  const turns = new Turns(report, dialect, [pairing, orderRule(report, api)]);
  return [...always, providerRule(report, api), turns];
}

function findingOf({ code, message, hint = hints[code] }: DragomanError) {
  return { code, message, ...(hint === undefined ? {} : { hint }), severity: "error" as const };
}

/** `/1/content` is the content of the unit's second record. */
function spotInUnit(unit: readonly SourceRecord[], at: string): Spot {
  const [, index = "0"] = at.split("/");
  const record = unit[Number(index)];
  if (record === undefined) return { at, line: 1, column: 1 };
  return { record, pointer: at.slice(1 + index.length) };
}

import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import { isObject } from "../core/json/value.js";
import type { Tool } from "./types.js";

const validators = new WeakMap<object, Validator>();

/** What is wrong with a call's arguments, worded for the model; undefined when they are valid. */
export function argumentProblems(tool: Tool, args: unknown): string | undefined {
  const { errors } = validatorOf(tool).validate(args);
  const leaves = errors.filter((unit) => unit.keyword !== "false" && !summarises(unit, errors));
  if (leaves.length === 0) return undefined;
  const lines = leaves.map(({ instanceLocation, error }) => `- ${fieldOf(instanceLocation)}: ${error}`);
  return [`the arguments of "${tool.name}" do not fit its schema:`, ...new Set(lines)].join("\n");
}

function validatorOf({ parameters }: Tool): Validator {
  const known = validators.get(parameters);
  if (known !== undefined) return known;
  // A copy, because the validator writes into schemas; cloning also drops TypeBox's symbol properties.
  const schema: unknown = structuredClone(parameters);
  const validator = new Validator(isSchema(schema) ? schema : true, "2020-12", false);
  validators.set(parameters, validator);
  return validator;
}

function isSchema(value: unknown): value is Schema {
  return isObject(value);
}

/** A keyword that applies other keywords fails with them, one level up, and with less detail. */
function summarises({ keywordLocation }: OutputUnit, all: readonly OutputUnit[]): boolean {
  return all.some((other) => other.keywordLocation.startsWith(`${keywordLocation}/`));
}

/** `#/edits/0/path` → `edits/0/path` */
function fieldOf(location: string): string {
  return location === "#" ? "arguments" : decodeURIComponent(location.slice(2));
}

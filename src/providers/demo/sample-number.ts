import { isNumber, type JsonObject } from "../../core/json/value.js";

/** A number that fits a schema: 1 or the smallest multiple if it fits, else 0, else the closest to a limit. */
export function sampleNumber(schema: JsonObject): number {
  const { type, multipleOf } = schema;
  const isWhole = type === "integer" || (Array.isArray(type) && type[0] === "integer");
  const step = isNumber(multipleOf) && multipleOf > 0 ? multipleOf : isWhole ? 1 : 0;
  const { lowest, highest, fits } = rangeOf(schema);
  const unit = step === 0 ? 1 : step;
  const candidates = [unit, 0, ...atLimits(lowest, highest, step)];
  return candidates.find((value) => fits(value) && isMultiple(value, step)) ?? unit;
}

function rangeOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonObject) {
  const lowest = Math.max(...[minimum, exclusiveMinimum].filter(isNumber), Number.NEGATIVE_INFINITY);
  const highest = Math.min(...[maximum, exclusiveMaximum].filter(isNumber), Number.POSITIVE_INFINITY);
  const fits = (value: number) =>
    value >= lowest && value <= highest && value !== exclusiveMinimum && value !== exclusiveMaximum;
  return { lowest, highest, fits };
}

/** The values closest to the limits, on them or beside them; without a step also the middle. */
function atLimits(lowest: number, highest: number, step: number): number[] {
  const unit = step === 0 ? 1 : step;
  const up = step === 0 ? lowest : Math.ceil(lowest / step) * step;
  const down = step === 0 ? highest : Math.floor(highest / step) * step;
  return [up, up + unit, (lowest + highest) / 2, down, down - unit].filter(Number.isFinite);
}

/** Within the accuracy of floating-point numbers. */
function isMultiple(value: number, step: number): boolean {
  if (step === 0) return true;
  const quotient = value / step;
  return Math.abs(quotient - Math.round(quotient)) < 1e-9;
}

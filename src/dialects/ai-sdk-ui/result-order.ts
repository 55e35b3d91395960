import { isNumber, isObject, type JsonObject } from "../../core/json/value.js";

/*
 * The results of a step are in the order of its calls, unless their parts state another order. `resultIndex` is a field of
 * our own, because the AI SDK has none and ignores unknown fields.
 */
const FIELD = "resultIndex";

/** The places of the results of these parts, if the parts state an order that differs from theirs. */
export function readOrder(parts: readonly unknown[]): number[] | undefined {
  const order = parts.flatMap((part) => (isObject(part) && Object.hasOwn(part, FIELD) ? [part[FIELD]] : []));
  const places = order.filter(isNumber);
  const isOrder = places.length === order.length && new Set(places).size === places.length;
  const isWithin = places.every((place) => Number.isInteger(place) && place >= 0 && place < places.length);
  return isOrder && isWithin && !isInOrder(places) ? places : undefined;
}

/** The part without its place. */
export function withoutPlace<P extends JsonObject>(part: P): P {
  const copy = { ...part };
  Reflect.deleteProperty(copy, FIELD);
  return copy;
}

/** The part with the place of its result. */
export function withPlace(part: JsonObject, place: number): JsonObject {
  return { ...part, [FIELD]: place };
}

function isInOrder(places: readonly number[]): boolean {
  return places.every((place, index) => place === index);
}

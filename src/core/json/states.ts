/** What a `JsonMachine` expects next, or is in the middle of. */
export const VALUE = 0;
export const ELEMENT_OR_END = 1;
export const KEY_OR_END = 2;
export const KEY = 3;
export const COLON = 4;
export const COMMA_OR_END = 5;
export const END = 6;
export const STRING = 7;
export const ESCAPE = 8;
export const UNICODE = 9;
export const LITERAL = 10;
export const TOO_DEEP = 11;

/** Within a number the state is named after the last character. These are the largest states. */
export const MINUS = 12;
export const ZERO = 13;
export const INTEGER = 14;
export const POINT = 15;
const FRACTION = 16;
export const EXPONENT = 17;
export const EXPONENT_SIGN = 18;
const EXPONENT_DIGITS = 19;

/** Results of `nextInNumber` that are not states. */
const NUMBER_IS_OVER = -1;
export const NUMBER_IS_WRONG = -2;

/** The state after one more character: the number continues, ended before it, or cannot be followed by it. */
export function nextInNumber(state: number, code: number): number {
  const isDigit = code >= 0x30 && code <= 0x39;
  switch (state) {
    case MINUS:
      if (!isDigit) return NUMBER_IS_WRONG;
      return code === 0x30 ? ZERO : INTEGER;
    case ZERO:
      return isDigit ? NUMBER_IS_WRONG : afterInteger(code);
    case INTEGER:
      return isDigit ? INTEGER : afterInteger(code);
    case POINT:
      return isDigit ? FRACTION : NUMBER_IS_WRONG;
    case FRACTION:
      return isDigit ? FRACTION : afterFraction(code);
    case EXPONENT:
      if (code === 0x2b || code === 0x2d) return EXPONENT_SIGN;
      return isDigit ? EXPONENT_DIGITS : NUMBER_IS_WRONG;
    case EXPONENT_SIGN:
      return isDigit ? EXPONENT_DIGITS : NUMBER_IS_WRONG;
    default:
      return isDigit ? EXPONENT_DIGITS : NUMBER_IS_OVER;
  }
}

function afterInteger(code: number): number {
  return code === 0x2e ? POINT : afterFraction(code);
}

function afterFraction(code: number): number {
  return code === 0x65 || code === 0x45 ? EXPONENT : NUMBER_IS_OVER;
}

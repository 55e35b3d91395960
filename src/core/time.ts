/** Smaller timestamps are seconds: as milliseconds they would be before March 1973, as seconds larger ones after 5138. */
export const SECONDS_END = 1e11;

/** The last millisecond that a `Date` can hold, counted from 1970; the first is as far on the other side. */
export const LAST_DATE = 8.64e15;

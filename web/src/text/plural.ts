import { perLocale } from "./locale.js";

/** The forms that a language distinguishes: English `one` and `other`. `#` is the number. */
export type PluralForms = { other: string } & Partial<Record<Intl.LDMLPluralRule, string>>;

const numbers = perLocale((locale) => new Intl.NumberFormat(locale));

/** The function with which a language's texts count: `plural(3, { one: "# file", other: "# files" })` is `3 files`. */
export function pluralIn(language: string): (value: number, forms: PluralForms) => string {
  const rules = new Intl.PluralRules(language);
  return (value, forms) => (forms[rules.select(value)] ?? forms.other).replace("#", numbers().format(value));
}

// Numbers in sentences.

export interface PluralForms {
  /** `{n}` stands for the number. */
  readonly one: string;
  readonly other: string;
}

const rules = new Intl.PluralRules('en');
const numbers = new Intl.NumberFormat('en');

export function plural(n: number, forms: PluralForms): string {
  const form = rules.select(n) === 'one' ? forms.one : forms.other;
  return form.replace('{n}', numbers.format(n));
}

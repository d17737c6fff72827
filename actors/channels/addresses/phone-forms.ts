// The other ways in which a number of some countries is written. A plan changed and providers keep
// the older form, or write a digit that others omit: WhatsApp's id of a number is not always the
// number. Pure.
// Sources: Brazil's ninth digit (Anatel, 2012 to 2016), Mexico's 1 and Argentina's 9 before the
// area (notices of the ITU), ten digits in the Ivory Coast (2021) and in Benin (2024).

type Forms = (e164: string) => readonly string[];

const inBrazil: Forms = (e164) => {
  const longer = /^\+55(\d{2})9([6-9]\d{7})$/.exec(e164);
  if (longer !== null) return [`+55${longer[1]}${longer[2]}`];
  const shorter = /^\+55(\d{2})([6-9]\d{7})$/.exec(e164);
  return shorter === null ? [] : [`+55${shorter[1]}9${shorter[2]}`];
};

const inMexico: Forms = (e164) => {
  const [, one, rest] = /^\+52(1?)(\d{10})$/.exec(e164) ?? [];
  if (rest === undefined) return [];
  return [one === '' ? `+521${rest}` : `+52${rest}`];
};

const inArgentina: Forms = (e164) => {
  const [, nine, rest] = /^\+54(9?)(\d{10})$/.exec(e164) ?? [];
  if (rest === undefined) return [];
  return [nine === '' ? `+549${rest}` : `+54${rest}`];
};

const inBenin: Forms = (e164) => {
  const [, added, rest] = /^\+229(01)?(\d{8})$/.exec(e164) ?? [];
  if (rest === undefined) return [];
  return [added === undefined ? `+22901${rest}` : `+229${rest}`];
};

/** The operator's two digits depend on the older number's second or third digit. */
const inIvoryCoast: Forms = (e164) => {
  const longer = /^\+225(?:01|05|07)(\d{8})$/.exec(e164);
  if (longer !== null) return [`+225${longer[1]}`];
  const shorter = /^\+225(\d{8})$/.exec(e164);
  return shorter === null ? [] : ['01', '05', '07'].map((code) => `+225${code}${shorter[1]}`);
};

const byCountry: readonly (readonly [prefix: string, Forms])[] = [
  ['+55', inBrazil],
  ['+52', inMexico],
  ['+54', inArgentina],
  ['+229', inBenin],
  ['+225', inIvoryCoast],
];

/** Of a number in E.164, which need not be possible; none for most. */
export function otherForms(e164: string): readonly string[] {
  return byCountry.find(([prefix]) => e164.startsWith(prefix))?.[1](e164) ?? [];
}

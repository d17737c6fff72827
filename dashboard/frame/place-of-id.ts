// Which screen an id belongs to, so that a pasted id opens what it names.

import { appPath } from '../ui/address.ts';

const screenByPrefix: Readonly<Record<string, string>> = {
  sub: 'people',
  cmp: 'campaigns',
  jrn: 'journeys',
  seg: 'segments',
  msg: 'messages',
  tpl: 'messages/templates',
  iam: 'inapp',
  flg: 'flags',
  ntf: 'activity',
};

const idForm = /^([a-z]{2,3})_[0-9a-hjkmnp-tv-z]{26}$/;

/** The screen that shows the thing; `undefined` for a text that is no id of a known kind. */
export function screenOfId(text: string): string | undefined {
  return partsOf(text)?.[0];
}

/** The path of the thing; `undefined` for a text that is no id of a known kind. */
export function placeOfId(app: string, text: string): string | undefined {
  const parts = partsOf(text);
  return parts === undefined ? undefined : appPath(app, parts[0] ?? '', ...parts.slice(1), text);
}

function partsOf(text: string): readonly string[] | undefined {
  const prefix = idForm.exec(text)?.[1];
  return prefix === undefined ? undefined : screenByPrefix[prefix]?.split('/');
}

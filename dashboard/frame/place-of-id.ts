// Which screen an id belongs to, so that a pasted id opens what it names.

import { appPath } from './address.ts';

const screenByPrefix: Readonly<Record<string, string>> = {
  sub: 'people',
  cmp: 'campaigns',
  jrn: 'journeys',
  seg: 'segments',
  msg: 'messages',
  iam: 'inapp',
  flg: 'flags',
  ntf: 'activity',
};

const idForm = /^([a-z]{2,3})_[0-9a-hjkmnp-tv-z]{26}$/;

/** The path of the thing; `undefined` for a text that is no id of a known kind. */
export function placeOfId(app: string, text: string): string | undefined {
  const prefix = idForm.exec(text)?.[1];
  const screen = prefix === undefined ? undefined : screenByPrefix[prefix];
  return screen === undefined ? undefined : appPath(app, screen, text);
}

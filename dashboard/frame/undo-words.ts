// The words of undoing a send.

import type { Campaign } from '../api/generated.ts';
import { type PluralForms, plural } from '../words/plural.ts';

const seconds: PluralForms = { one: '{n} second', other: '{n} seconds' };

/** The result after the undo period. */
const became: Readonly<Record<Campaign['state'], (name: string) => string>> = {
  draft: (name) => `“${name}” is a draft again. Nothing was sent.`,
  scheduled: (name) => `“${name}” is scheduled.`,
  sending: (name) => `“${name}” is being sent.`,
  paused: (name) => `“${name}” is paused.`,
  completed: (name) => `“${name}” was sent.`,
  canceled: (name) => `“${name}” was canceled.`,
  failed: (name) => `“${name}” could not be sent.`,
};

export const undoWords = {
  label: 'Undo a send',
  undo: 'Undo',
  key: 'Undo send',
  pause: 'Pause',
  open: 'Open the campaign',
  edit: 'Open the draft',
  close: 'Hide this notice',
  /** What is read out, once. */
  announced: (name: string, n: number, hasLetters: boolean) =>
    `“${name}” starts sending in ${plural(n, seconds)}. ${hasLetters ? 'Press Z to undo it.' : 'The Undo button is in the notices at the top of the page.'}`,
  waits: (name: string) => `“${name}” starts sending in`,
  left: (n: number) => plural(n, seconds),
  now: (name: string) => `“${name}” starts sending now`,
  became: (state: Campaign['state'], name: string) => became[state](name),
  tooLate: (state: Campaign['state'], name: string) =>
    state === 'sending'
      ? `It is too late to undo: “${name}” has started sending. Pause it instead.`
      : `It is too late to undo. ${became[state](name)}`,
} as const;

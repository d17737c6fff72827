// The words of taking back a send.

import type { Campaign } from '../api/generated.ts';
import { type PluralForms, plural } from '../words/plural.ts';

const seconds: PluralForms = { one: '{n} second', other: '{n} seconds' };

/** After it waited: what became of it. */
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
  key: 'Undo the send',
  pause: 'Pause',
  open: 'Open the campaign',
  edit: 'Open the draft',
  close: 'Hide this notice',
  /** What is read out, once. */
  announced: (name: string, n: number, hasLetters: boolean) =>
    `“${name}” begins to send in ${plural(n, seconds)}. ${hasLetters ? 'Press Z to undo it.' : 'The button that undoes it is among the notices at the start of the page.'}`,
  waits: (name: string) => `“${name}” begins to send in`,
  left: (n: number) => plural(n, seconds),
  now: (name: string) => `“${name}” begins to send now`,
  became: (state: Campaign['state'], name: string) => became[state](name),
  tooLate: (state: Campaign['state'], name: string) =>
    state === 'sending'
      ? `It is too late to undo: “${name}” has begun to send. Pause it instead.`
      : `It is too late to undo. ${became[state](name)}`,
} as const;

// Who wants no mails of the platform: they said so by a link in one, or one came back.

import { accepted } from '../../../engine/actor/message.ts';
import type { Applies, Decisions } from '../../../engine/actor/protocol.ts';
import type { Area } from '../../area.ts';
import type { UndoneBy } from '../../undone.ts';
import { type MailStopsPartition, mailStopsOfPartition } from './memory.ts';
import type { MailStopsEntry, MailStopsProtocol } from './protocol.ts';
import { isStopped } from './records.ts';

const decisions: Decisions<MailStopsProtocol, MailStopsPartition> = {
  'mail_stop.set': ({ mailStops }, { hash, reason }, { owner, nowMs }) => {
    const stop = mailStops.get(hash);
    if (reason === undefined) {
      if (stop === undefined) return accepted(null);
      const removed: MailStopsEntry = { kind: 'mail_stop.removed', owner, hash };
      return accepted(null, { entries: [removed] });
    }
    // A bounce says less than a person.
    if (stop !== undefined && (reason === 'bounce' || stop.reason === 'person'))
      if (isStopped(stop, nowMs)) return accepted(null);
    const entry: MailStopsEntry = {
      kind: 'mail_stop.set',
      owner,
      hash,
      stop: { reason, atMs: nowMs },
    };
    return accepted(null, { entries: [entry] });
  },

  'mail_stop.is_set': ({ mailStops }, { hash }, { nowMs }) =>
    accepted(isStopped(mailStops.get(hash), nowMs)),
};

const applies: Applies<MailStopsEntry, MailStopsPartition> = {
  'mail_stop.set': ({ mailStops }, { hash, stop }) => void mailStops.set(hash, stop),
  'mail_stop.removed': ({ mailStops }, { hash }) => void mailStops.delete(hash),
};

const undone: UndoneBy<MailStopsEntry, MailStopsPartition> = {
  'mail_stop.set': {
    rank: 3,
    about: ({ hash }) => `mail stop ${hash}`,
    again: ({ mailStops }, { hash, stop }) =>
      mailStops.get(hash)?.reason === stop.reason ? undefined : {},
  },
  'mail_stop.removed': {
    rank: 4,
    about: ({ hash }) => `mail stop ${hash}`,
    again: ({ mailStops }, { hash }) => (mailStops.has(hash) ? {} : undefined),
  },
};

export const mailStopsArea = {
  name: 'mail stops',
  partition: mailStopsOfPartition,
  decide: () => decisions,
  apply: applies,
  undone,
  silent: ['mail_stop.set', 'mail_stop.removed'],
  whenDiskIsFull: ['mail_stop.set', 'mail_stop.is_set'],
  on: {
    // The clock was ahead: a bounce counts for its week, no longer.
    clockRebased: ({ mailStops }, { stamp }) => {
      for (const [hash, stop] of mailStops)
        mailStops.set(hash, { ...stop, atMs: stamp(stop.atMs) });
    },
  },
} as const satisfies Area<never, MailStopsPartition, object, object>;

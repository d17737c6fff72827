// People, their devices and tags, and who opted out.

import type { DocumentWrite, Message } from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { type HashKey, newHashKey } from '../../../engine/base/hash.ts';
import {
  aliases,
  endpoints,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { suppressions } from '../../../storage/tables/suppression.ts';
import type { Area } from '../../area.ts';
import { audienceApplies } from './apply.ts';
import { checkAudience } from './check.ts';
import { type AudienceRules, audienceDecisions } from './decide.ts';
import { doubtTimers } from './doubtful-opt-outs.ts';
import { audienceEdits, audienceEnds } from './edits.ts';
import { endpointWrites } from './endpoint-owner.ts';
import { endpointRows } from './endpoint-rows.ts';
import { GatherClock } from './gather-endpoints.ts';
import { tryImport } from './import/try-import.ts';
import { type AudienceMemory, type AudienceView, audienceOfApp } from './memory.ts';
import { audienceNotes } from './notes.ts';
import { isLeaving } from './preferences.ts';
import type { AudienceProtocol, EndpointsEntry } from './protocol.ts';
import { audienceUndone } from './undone.ts';

export const audienceArea = {
  name: 'audience',
  app: audienceOfApp,
  decide: (rules: AudienceRules) => audienceDecisions(rules),
  apply: audienceApplies,
  silent: [
    'endpoints.changed',
    'subscriber.changed',
    'subscriber.identified',
    'suppression.removed',
    'opt_out.doubted',
    'opt_out.settled',
  ],
  edits: audienceEdits,
  ends: audienceEnds,
  notes: audienceNotes,
  undone: audienceUndone,
  check: checkAudience,
  asks: { 'subscriber.try_import': tryImport },
  stores: {
    'device.add': 'adds',
    'subscriber.import': 'adds',
    'subscriber.try_slice': 'adds',
    'subscriber.patch': 'adds',
    'preferences.set': ({ change }: Setting) => (isLeaving(change) ? undefined : 'adds'),
    'subscriber.upsert': 'adds',
  },
  whenDiskIsFull: [
    'subscriber.read',
    'subscriber.list',
    'preferences.read',
    'preferences.set',
    'device.remove',
    'suppression.add',
    'suppression.import',
    'suppression.list',
    'doubtful_opt_out.list',
    'doubtful_opt_out.decide',
  ],
  stored: {
    tables: [['people', suppressions]],
    sums: [['people', ({ doubts }) => doubts.bytes]],
  },
  timers: doubtTimers,
  remembers: [endpointRows],
  clock: () => new GatherClock(),
  tables: [subscribers, endpoints, aliases, suppressions],
  on: {
    createApp: (owner, _nowMs, rng) => [firstEndpoints(owner, newHashKey(rng))],
    erasePerson: ({ people }, row) => [
      ...withoutRecord(row),
      ...people
        .aliasesOf(row.person)
        .map((alias) => ({ table: aliases, key: [alias], value: undefined })),
    ],
    expirePerson: (_app, row) => withoutRecord(row),
    clockRebased: ({ apps }, to) => {
      for (const { doubts } of apps.values()) doubts.rebase(to);
    },
  },
} as const satisfies Area<never, AudienceMemory, AudienceView, object>;

type Setting = Message & AudienceProtocol['preferences.set']['body'];

function withoutRecord({ person, devices }: SubscriberRow): DocumentWrite[] {
  const gone: DocumentWrite = { table: subscribers, key: [person], value: undefined };
  return [gone, ...devices.flatMap((device) => endpointWrites(device, undefined))];
}

/** No earlier build has stored addresses of a new app. */
function firstEndpoints(owner: Ordinal, key: HashKey): EndpointsEntry {
  const none = { hashes: new Uint32Array(0), people: new Uint32Array(0) };
  return { kind: 'endpoints.changed', owner, ...none, key, isWhole: true };
}

// The filter language as JSON Schema, for people and generated clients. The actor checks filters
// (`parse-filter.ts`): it knows the app's retention, and names a problem's place, which a union of
// eleven kinds cannot. A filter is closed, unlike bodies: a field of another kind or of none is an
// error. `null` for another kind's field counts as absent, which the description leaves out.

import { channelIds } from '../../../actors/channels/channel-ids.ts';
import { nameCharsMax } from '../../../actors/events/ingest/names.ts';
import { limits } from '../../../actors/limits.ts';
import { refusesOthers } from '../../call/schemas/json-schema.ts';

/** JSON Schema 2020-12. */
type Described = Readonly<Record<string, unknown>>;

const scalar: Described = {
  type: ['string', 'number', 'boolean'],
  description: 'Compared without type conversion: `1` is not `"1"`.',
};
const tag: Described = {
  type: 'string',
  minLength: 1,
  maxLength: limits.tagKeyCharsMax,
  pattern: '^[^$]',
};
const event: Described = { type: 'string', minLength: 1, maxLength: nameCharsMax };
const flag: Described = { type: 'boolean' };
const days: Described = {
  type: 'integer',
  minimum: 1,
  maximum: limits.windowDaysMax,
  description: "Whole days of 24 hours before now; at most the app's events retention.",
};
const members: Described = { type: 'array', minItems: 1, items: { $ref: '#/$defs/Filter' } };

/** Per kind: its title, its required fields and its optional ones. */
const kinds: readonly (readonly [
  title: string,
  required: Readonly<Record<string, Described>>,
  optional?: Readonly<Record<string, Described>>,
])[] = [
  ['all conditions', { all: members }],
  ['any condition', { any: members }],
  ['tag equals', { tag, eq: scalar }],
  ['tag does not equal, or is not set', { tag, ne: scalar }],
  ['tag is set, or is not', { tag, exists: flag }],
  [
    'tag is one of',
    {
      tag,
      in: { type: 'array', minItems: 1, maxItems: limits.filterValuesMax, items: scalar },
    },
  ],
  [
    'event happened',
    { event, withinDays: days },
    {
      atLeast: {
        type: 'integer',
        minimum: 1,
        maximum: limits.filterAtLeastMax,
        description: 'Minimum number of events in the window. Default 1.',
      },
    },
  ],
  ['event did not happen', { event, notWithinDays: days }],
  ['active', { activeWithinDays: days }],
  ['inactive, and created at least that long ago', { inactiveForDays: days }],
  [
    'reachable on a channel',
    { channel: { enum: channelIds } },
    { exists: { ...flag, description: '`false` matches people who are not reachable.' } },
  ],
];

/** The named schema is `Filter`. */
export const filterKinds: readonly Described[] = kinds.map(([title, required, optional = {}]) => {
  return {
    title,
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: refusesOthers,
  };
});

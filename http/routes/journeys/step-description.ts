// The steps of a journey as JSON Schema, for people and generated clients. The actor checks steps
// (`graph.ts`): it names the wrong step by index and id, which a union of four kinds cannot.

import { channelIds } from '../../../actors/channels/channel-ids.ts';
import { streams } from '../../../actors/channels/port/open-relay.ts';
import { nameCharsMax } from '../../../actors/events/ingest/names.ts';
import { limits } from '../../../actors/limits.ts';

/** JSON Schema 2020-12. */
type Described = Readonly<Record<string, unknown>>;

const id: Described = {
  type: 'string',
  minLength: 1,
  maxLength: limits.journeyStepIdCharsMax,
  description: 'Unique within the journey.',
};
const note: Described = {
  type: 'string',
  minLength: 1,
  maxLength: limits.journeyStepNoteCharsMax,
  description: 'For people who edit the journey later. It changes nothing.',
};
const steps: Described = { type: 'array', items: { $ref: '#/$defs/JourneyStep' } };
const days = limits.journeyWaitMs / 86_400_000;
const upTo = (maximum: number): Described => ({ type: 'integer', minimum: 1, maximum });

/** Per kind: its purpose, its required fields and its optional ones. */
const kinds: readonly (readonly [
  title: string,
  types: readonly string[],
  required: Readonly<Record<string, Described>>,
  optional: Readonly<Record<string, Described>>,
])[] = [
  [
    `wait: exactly one of minutes, hours, days; at most ${days} days`,
    ['wait'],
    {},
    { minutes: upTo(days * 1440), hours: upTo(days * 24), days: upTo(days) },
  ],
  [
    'send: exactly one of a saved message (`messageId`), an inline one (`message`), and a template (`templateName` or `templateId`)',
    ['send'],
    {},
    {
      messageId: { type: 'string' },
      message: {
        type: 'object',
        description:
          'The same content as in `POST …/messages`; `templateName` or `templateId` in it is the template that it starts from. The step stores the content, so later changes of the template do not affect the journey. A template needs the scope `read`, too.',
      },
      templateName: {
        type: 'string',
        description: 'Short form of a `message` with only this field.',
      },
      templateId: { type: 'string', description: 'The same, by template id.' },
      channels: {
        type: 'array',
        minItems: 1,
        items: { enum: channelIds },
        description: 'Only these channels; every enabled device if omitted.',
      },
      topic: {
        type: 'string',
        description:
          'The key of the topic that the message is about: people who are out of it, or have not confirmed it, do not get it; their journey continues.',
      },
      stream: {
        enum: streams,
        description:
          'Decides which relays take the email of this step, and whose reputation it shares; `marketing` if omitted. `transactional` is for what people wait for, such as a code or an invoice. Consent, quiet hours and caps stay those of a journey. Not for steps without email.',
      },
    },
  ],
  [
    'condition: evaluates the filter when the person arrives; both branches continue with the next step',
    ['condition', 'branch'],
    { filter: { $ref: '#/$defs/Filter' }, then: steps },
    { else: steps },
  ],
  [
    'goal: waits for an event. People who do it in time convert and exit; everyone else continues',
    ['goal'],
    {
      event: { type: 'string', minLength: 1, maxLength: nameCharsMax },
      timeoutHours: upTo(limits.journeyGoalHoursMax),
    },
    {},
  ],
];

/** The members that a step of this type may have; of any type, if there is no such type. */
export function stepMembers(type: unknown): readonly string[] {
  const those = kinds.filter(([, types]) => types.includes(type as string));
  const chosen = those.length === 0 ? kinds : those;
  const own = chosen.flatMap(([, , ...members]) => members.flatMap(Object.keys));
  return ['id', 'type', 'note', ...own];
}

export const stepKinds: readonly Described[] = kinds.map(([title, types, required, optional]) => ({
  title,
  type: 'object',
  properties: { id, type: { enum: types }, note, ...required, ...optional },
  required: ['id', 'type', ...Object.keys(required)],
}));

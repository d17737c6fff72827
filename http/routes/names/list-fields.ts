// Lists what filters and templates may use: tags, events and channels. The app's actor counts some
// of them a turn; the properties of events come from the newest events.

import { z } from 'zod';
import type {
  EventField,
  FieldsProtocol,
  TagField,
} from '../../../actors/audiences/segments/protocol.ts';
import { originOfEvent } from '../../../actors/events/ingest/names.ts';
import type { EventsProtocol } from '../../../actors/events/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { exampleInstant } from '../../call/schemas/example-ids.ts';
import { channelSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';
import { originSchema } from './name-shape.ts';

const propTypes = ['string', 'number', 'boolean', 'list', 'object'] as const;
type PropType = (typeof propTypes)[number];

const fieldsSchema = z
  .object({
    tags: z
      .array(
        z.object({
          key: z.string(),
          types: z
            .array(z.enum(['string', 'number', 'boolean', 'list']))
            .describe('The types of the values that people have now.'),
          people: z.int().describe('People who have the tag.'),
          top: z
            .array(
              z.object({
                value: z.union([z.string(), z.number(), z.boolean()]),
                people: z.int(),
              }),
            )
            .describe(
              `The most common values, at most ${limits.fieldTopMax}; of a list, its elements. Empty for a tag with more than ${limits.fieldValuesMax.toLocaleString('en')} different values.`,
            ),
        }),
      )
      .describe('Sorted by the number of people, most first.'),
    events: z
      .array(
        z.object({
          name: z.string(),
          origin: originSchema,
          lastAt: instantSchema.describe('When it last happened.'),
          people: z.int().describe('People who did it, as far back as events are kept.'),
          props: z
            .array(z.object({ key: z.string(), types: z.array(z.enum(propTypes)) }))
            .describe(
              `Properties seen in the app's ${limits.fieldEventsSampled.toLocaleString('en')} newest events, the most common first; empty for an event that is not among them.`,
            ),
        }),
      )
      .describe(
        "The app's own events first; within each origin, sorted by the number of people, most first.",
      ),
    channels: z.array(
      z.object({
        channel: channelSchema,
        reachable: z
          .int()
          .describe('People with an enabled device on the channel that has not opted out.'),
      }),
    ),
  })
  .meta({
    id: 'Fields',
    examples: [
      {
        tags: [
          {
            key: 'plan',
            types: ['string'],
            people: 412,
            top: [
              { value: 'free', people: 300 },
              { value: 'pro', people: 112 },
            ],
          },
        ],
        events: [
          {
            name: 'purchase',
            origin: 'app',
            lastAt: exampleInstant(),
            people: 57,
            props: [{ key: 'total', types: ['number'] }],
          },
        ],
        channels: [{ channel: 'email', reachable: 398 }],
      },
    ],
  });

export const listFields = route({
  method: 'GET',
  path: '/v1/apps/:appId/fields',
  summary: 'List fields',
  description: `The fields that filters and templates can use: the ${limits.fieldsMax} tags and ${limits.fieldsMax} events that most people have, and all channels. Each count was exact when it was taken. All names: \`GET /v1/apps/:appId/tag-names\` and \`GET /v1/apps/:appId/event-names\`.`,
  tag: 'Segments',
  access: key('read'),
  reads: ['tag-name', 'event-name'],
  responses: { 200: { description: 'The fields.', schema: fieldsSchema } },
  async handle(call) {
    const app = call.to<FieldsProtocol>(call.app());
    const names = await app.ask('fields.names', {});
    const tags: TagField[] = [];
    for (let keys = names.tags; keys.length > 0; ) {
      const some = await app.ask('fields.tags', { keys }, { lane: 'bulk' });
      tags.push(...some.tags);
      keys = keys.slice(some.handled);
    }
    const events: EventField[] = [];
    for (let left = names.events; left.length > 0; ) {
      const some = await app.ask('fields.events', { names: left }, { lane: 'bulk' });
      events.push(...some.events);
      left = left.slice(some.handled);
    }
    const props = events.length === 0 ? new Map() : await propsOf(call);
    events.sort(inOrder);
    return {
      status: 200,
      body: {
        tags,
        events: events.map(({ name, lastMs, people }) => ({
          name,
          origin: originOfEvent(name),
          lastAt: instant(lastMs),
          people,
          props: props.get(name) ?? [],
        })),
        channels: names.channels,
      },
    };
  },
});

/** The app's own before Engage's, then by people, then by name. */
function inOrder(one: EventField, other: EventField): number {
  const isOther = Number(originOfEvent(one.name) === 'engage');
  return (
    isOther - Number(originOfEvent(other.name) === 'engage') ||
    other.people - one.people ||
    (one.name < other.name ? -1 : 1)
  );
}

interface SeenProp {
  readonly key: string;
  readonly types: readonly PropType[];
}

/** By event: what the newest events of the app have. */
async function propsOf(
  call: Call<unknown, unknown>,
): Promise<ReadonlyMap<string, readonly SeenProp[]>> {
  const query = { limit: limits.fieldEventsSampled };
  const { items } = await call.to<EventsProtocol>(call.app()).ask('events.list', { query });
  const seen = new Map<string, Map<string, { count: number; readonly types: Set<PropType> }>>();
  for (const { name, props } of items) {
    const ofEvent = seen.get(name) ?? new Map();
    seen.set(name, ofEvent);
    for (const [prop, value] of Object.entries(props ?? {})) {
      const one = ofEvent.get(prop) ?? { count: 0, types: new Set() };
      ofEvent.set(prop, one);
      one.count++;
      if (value !== null) one.types.add(typeOfProp(value));
    }
  }
  return new Map(
    [...seen].map(([name, ofEvent]) => {
      const order = [...ofEvent].sort(
        ([key, one], [other, its]) => its.count - one.count || (key < other ? -1 : 1),
      );
      const shown = order.slice(0, limits.fieldPropsMax).map(([prop, { types }]) => ({
        key: prop,
        types: propTypes.filter((type) => types.has(type)),
      }));
      return [name, shown];
    }),
  );
}

function typeOfProp(value: unknown): PropType {
  return Array.isArray(value) ? 'list' : (typeof value as Exclude<PropType, 'list'>);
}

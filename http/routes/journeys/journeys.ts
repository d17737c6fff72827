// The journeys of an app.

import { z } from 'zod';
import { fault } from '../../../actors/faults.ts';
import { limits } from '../../../actors/limits.ts';
import type { JourneysProtocol } from '../../../actors/programs/journeys/protocol.ts';
import { FaultError } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { listQuery } from '../../call/schemas/schemas.ts';
import { fieldWarningsOf } from '../field-warnings.ts';
import { needsRead } from '../message-templates/named-template.ts';
import { Resource } from '../resource.ts';
import {
  journeyBody,
  journeyChange,
  journeyInput,
  journeyPatch,
  journeySchema,
  journeyStatsSchema,
  journeyStatsView,
  journeyView,
  narrowingMembers,
} from './journey-shape.ts';
import { namesTemplate } from './step-templates.ts';

const journeys = new Resource({
  path: '/v1/apps/:appId/journeys',
  params: { id: 'Journey id.' },
  tag: 'Journeys',
  noun: 'journey',
  a: 'a journey',
  prefix: 'jrn',
  schema: journeySchema,
  view: journeyView,
  actor: (call) => call.to<JourneysProtocol>(call.app()),
  named: (call) => ({ id: call.param('id') }),
});

export const createJourney = journeys.create({
  description: `The journey starts inactive; nobody is enrolled until \`PATCH\` with \`active: true\`. Give exactly one of \`triggerEvent\` and \`triggerSegmentId\`. At most ${limits.journeysMax.toLocaleString('en')} in an app, archived ones included.`,
  body: journeyBody,
  creates: { kind: 'journey.create', prefix: 'jrn', read: '/v1/apps/:appId/journeys/:id' },
  answer: 'The journey, not active yet.',
  async handle(call) {
    if (namesTemplate(call.body.steps)) needsRead(call);
    const made = await call.to<JourneysProtocol>(call.app()).ask('journey.create', {
      input: journeyInput(call.body),
      ...fieldWarningsOf(call, narrowingMembers),
    });
    return { status: 201, body: journeyView(made) };
  },
});

export const listJourneys = journeys.list({
  query: z.object({
    active: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true` for live journeys only, `false` for the others.'),
    archived: z
      .enum(['true', 'false', 'all'])
      .optional()
      .describe('`true` for archived journeys only, `all` for both. Default `false`.'),
    ...listQuery,
  }),
  answer: 'Journeys. A page of long journeys may have fewer than `limit`.',
  async handle(call) {
    const { active, archived, ...page } = call.query;
    const put = { true: 'only', all: 'all', false: undefined } as const;
    const question = present({
      ...page,
      active: active === undefined ? undefined : active === 'true',
      archived: put[archived ?? 'false'],
    });
    const listed = await call.to<JourneysProtocol>(call.app()).ask('journey.list', question);
    return { status: 200, body: { ...listed, items: listed.items.map(journeyView) } };
  },
});

export const readJourney = journeys.read({ asks: 'journey.read' });

/**
 * Changes a journey, and switches it on and off. These need different scopes, because going live
 * sends messages; a call that does both needs both.
 */
export const updateJourney = journeys.update({
  summary: 'Update, activate or pause a journey',
  description:
    "Fields you send are replaced as a whole; `null` removes a field. `active` needs the scope `send`, everything else `write`. The steps and the trigger of a live journey are frozen: changing them is a 409. Activating copies the messages, so later edits don't affect people in flight, and enrolls people from then on. After a pause, nothing more of the journey is sent: waiting sends end as `suppressed` with the reason `journey_off`, and people in flight exit at their next wake, even if the journey is activated again first. `active: true` with `replaces` activates this journey and pauses that one at the same time, both or neither: every event starts exactly one of the two, and both have the same `updatedAt`. People in flight in the old one exit as after any pause, and with `reentry: once` anyone who was ever enrolled there is not enrolled here. People who still waited to be enrolled there are enrolled here, if both have the same trigger. Repeating the call changes nothing more. An archived journey is a 409. After a restore without resending, `active: true` on a live journey releases the people it holds.",
  access: key('write', 'send'),
  changes: ['journey', 'enrollment'],
  edits: 'journey.update',
  body: journeyPatch,
  refusals: [409],
  async handle(call) {
    const { active, enrollExisting, replaces, confirmWarnings, ...chosen } = call.body;
    const change = journeyChange(chosen);
    const isSwitch = active != null || enrollExisting != null || replaces != null;
    const isChange = Object.keys(change.input).length + change.removed.length > 0;
    if (isSwitch) needs('send', 'active', call.grant?.scopes);
    if (isChange || !isSwitch) needs('write', 'every field except active', call.grant?.scopes);
    if (namesTemplate(call.body.steps)) needsRead(call);
    const journey = await call.to<JourneysProtocol>(call.app()).ask('journey.update', {
      id: call.param('id'),
      change,
      ...fieldWarningsOf(call, narrowingMembers),
      ...(active == null ? {} : { active }),
      ...(enrollExisting == null ? {} : { enrollExisting }),
      ...(replaces == null ? {} : { replaces }),
      ...(confirmWarnings == null ? {} : { confirmWarnings }),
    });
    return { status: 200, body: journeyView(journey) };
  },
});

function needs(scope: 'send' | 'write', what: string, has: readonly string[] = []): void {
  if (has.includes(scope)) return;
  const have = has.join(', ') || 'none';
  throw new FaultError(
    fault('forbidden', `this key lacks the scope ${scope}, which ${what} requires; it has ${have}`),
  );
}

export const deleteJourney = journeys.remove({
  description:
    'A live journey is a 409; pause it first. Enrollments in flight, its stats and the copies of its messages are deleted too; the events of people are kept.',
  changes: ['journey', 'enrollment'],
  refusals: [409],
  asks: 'journey.delete',
});

export const duplicateJourney = journeys.duplicate({
  description:
    'Creates a journey with the same trigger and steps. It is not active, whether or not the original is. The body is optional.',
  answer: 'The new journey, not active.',
  asks: 'journey.duplicate',
});

export const archiveJourney = journeys.action('archive', {
  asks: 'journey.archive',
  description:
    'Removes a journey that is not live from lists, unless they ask for archived ones. Its stats stay, and people in flight exit at their next wake, as after any pause. Archiving it again returns 200. A live journey is a 409: pause it first. So are changing and activating an archived one. The request has no body.',
});

export const unarchiveJourney = journeys.action('unarchive', {
  asks: 'journey.unarchive',
  description:
    'Returns an archived journey to lists. It is not live; it can be changed and activated again. A journey that is not archived returns 200 as well. The request has no body.',
});

export const readJourneyStats = route({
  method: 'GET',
  path: '/v1/apps/:appId/journeys/:id/stats',
  summary: "Read a journey's stats",
  description: 'Exact counts, updated as people move. `bySteps` lists the current steps.',
  tag: 'Journeys',
  access: key('read'),
  reads: ['journey', 'enrollment', 'outcome'],
  params: { id: 'Journey id.' },
  responses: { 200: { description: 'The stats.', schema: journeyStatsSchema } },
  async handle(call) {
    const stats = await call
      .to<JourneysProtocol>(call.app())
      .ask('journey.stats', { id: call.param('id') });
    return { status: 200, body: journeyStatsView(stats) };
  },
});

// One change of many people: starting it, and how far it is.

import { z } from 'zod';
import type { BulkProtocol } from '../../../actors/audiences/bulk/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { type OptOutScope, optOutScopes } from '../../../actors/tenants/accounts/records.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { channelsSchema, exampleOf, segmentIdSchema } from '../../call/schemas/schemas.ts';
import { personNamed } from '../person-named.ts';
import { filterSchema } from '../segments/segment-shape.ts';
import { bulkChangeSchema, bulkChangeView } from './bulk-shape.ts';
import { tagsShape } from './subscriber-shape.ts';

const bulkBody = z
  .object({
    filter: filterSchema.optional(),
    segmentId: segmentIdSchema.optional(),
    ids: z
      .array(z.string().min(1).max(512))
      .min(1)
      .max(limits.bulkIdsMax)
      .optional()
      .describe(
        'Subscriber ids, or `external:` followed by your own user ids. Unknown ones are ignored.',
      ),
    tags: tagsShape.optional(),
    suppress: z
      .object({
        channels: channelsSchema.describe(
          'The channels of the addresses. Push channels have no opt-outs.',
        ),
        scope: z
          .enum(optOutScopes)
          .optional()
          .describe('Default `all`. `marketing`: transactional messages are still sent.'),
        reason: z.string().trim().min(1).max(500).optional(),
      })
      .optional()
      .describe('Opts out the addresses that these people have on these channels.'),
    delete: z
      .literal(true)
      .optional()
      .describe('Erases these people with all their data. Cannot be undone.'),
    dryRun: z.boolean().default(false).describe('Only counts the people; changes nothing.'),
  })
  .meta({
    examples: [
      { filter: { tag: 'plan', eq: 'trial' }, tags: { plan: 'free', trial_ends: null } },
      {
        ids: [exampleIds.subscriber],
        suppress: { channels: ['sms'], reason: 'asked support to stop' },
      },
      { segmentId: exampleIds.segment, delete: true, dryRun: true },
    ],
  });

type Body = z.output<typeof bulkBody>;

/** Changes many people at once: tags, opt-outs or erasure. */
export const changeSubscribers = route({
  method: 'POST',
  path: '/v1/apps/:appId/subscribers/bulk',
  summary: 'Change many subscribers',
  description: `Changes the people who match \`filter\`, are in \`segmentId\` or are named by \`ids\` at this moment: \`tags\` and \`suppress\`, or \`delete\`. Each person is changed as the routes for one person would change them. A small change is complete when the response is sent (200); a larger one continues in the background (202), at several thousand people per second, even after a restart: \`GET /v1/apps/:appId/subscribers/bulk/:id\` shows its progress. At most ${limits.bulkChangesRunning} run at a time in an app. People who match later are not changed. Sending the same again changes nothing more.`,
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber', 'device', 'tag-name', 'suppression'],
  body: bulkBody,
  creates: {
    kind: 'bulk.start',
    prefix: 'blk',
    read: '/v1/apps/:appId/subscribers/bulk/:id',
  },
  responses: {
    200: {
      description: 'Done.',
      schema: bulkChangeSchema.meta({
        examples: [
          { ...exampleOf(bulkChangeSchema), state: 'done', matched: 3, looked: 3, changed: 3 },
        ],
      }),
    },
    202: { description: 'Running.', schema: bulkChangeSchema },
  },
  refusals: [409],
  async handle(call) {
    const { dryRun: isDry } = call.body;
    const change = await call.to<BulkProtocol>(call.app()).ask('bulk.start', {
      ...whoOf(call.body),
      action: actionOf(call.body),
      isDry,
    });
    return { status: change.state === 'done' ? 200 : 202, body: bulkChangeView(change) };
  },
});

/** The people, named in exactly one way. */
function whoOf({ filter, segmentId, ids }: Body) {
  const named = Object.entries({ filter, segmentId, ids }).filter(([, one]) => one !== undefined);
  const [first, second] = named;
  if (first === undefined)
    throw new FaultError(fieldFault('filter', 'is missing; send filter, segmentId or ids'));
  if (second !== undefined)
    throw new FaultError(fieldFault(second[0], `cannot be combined with ${first[0]}`));
  if (filter !== undefined) return { asked: { filter } };
  return segmentId === undefined
    ? { people: (ids ?? []).map(personNamed) }
    : { asked: { segmentId } };
}

function actionOf({ tags, suppress, delete: isErasure }: Body) {
  const isEmpty = tags === undefined || Object.keys(tags).length === 0;
  if (isErasure) {
    const other = tags !== undefined ? 'tags' : suppress !== undefined ? 'suppress' : undefined;
    if (other !== undefined)
      throw new FaultError(fieldFault('delete', `cannot be combined with ${other}`));
    return { delete: true as const };
  }
  if (isEmpty && suppress === undefined)
    throw new FaultError(fieldFault('tags', 'is missing; send tags, suppress or delete'));
  return present({
    tags: isEmpty ? undefined : tags,
    suppress: suppress && present({ ...suppress, scope: narrowed(suppress.scope) }),
  });
}

/** Everything is the rule, so it is left out. */
function narrowed(scope: OptOutScope | undefined): 'marketing' | undefined {
  return scope === 'marketing' ? scope : undefined;
}

export const readBulkChange = route({
  method: 'GET',
  path: '/v1/apps/:appId/subscribers/bulk/:id',
  summary: 'Read a bulk change',
  description: `The newest ${limits.bulkChangesKept} bulk changes of an app can be read.`,
  tag: 'Subscribers',
  access: key('read'),
  reads: ['bulk-change'],
  params: { id: 'Bulk change id.' },
  responses: { 200: { description: 'The bulk change.', schema: bulkChangeSchema } },
  async handle(call) {
    const change = await call
      .to<BulkProtocol>(call.app())
      .ask('bulk.read', { id: call.param('id') });
    return { status: 200, body: bulkChangeView(change) };
  },
});

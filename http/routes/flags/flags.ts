// The feature flags of an app.

import { z } from 'zod';
import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { pagesBy } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { ofPersonNamed, personParam } from '../audience/subscriber-view.ts';
import { personNamed } from '../person-named.ts';
import { Resource } from '../resource.ts';
import { flagBody, flagInput, flagPatch, flagSchema, flagView } from './flag-shape.ts';

const flags = new Resource({
  path: '/v1/apps/:appId/flags',
  params: { key: 'Flag key, or flag id.' },
  tag: 'Feature flags',
  noun: 'flag',
  a: 'a feature flag',
  the: 'flag',
  prefix: 'flg',
  schema: flagSchema,
  view: flagView,
  actor: (call) => call.to<FlagsProtocol>(call.app()),
  named: (call) => ({ flag: call.param('key') }),
});

export const createFlag = flags.create({
  description: `The flag is on for people who match \`filter\` and whose rollout position is below \`rolloutPercent\`. The position is derived from the flag's key and the subscriber's id, so each flag rolls out to different people. At most ${limits.flagsMax.toLocaleString('en')} in an app.`,
  body: flagBody,
  asks: 'flag.create',
  says: ({ body }) => ({ key: body.key, input: flagInput(body) }),
});

export const listFlags = flags.list({
  answer: 'Flags. `q` searches their keys.',
  async handle(call) {
    const flags = await call.to<FlagsProtocol>(call.app()).ask('flag.list', {});
    const named = flags.map((flag) => ({ ...flag, name: flag.key }));
    const page = pagesBy('flg')(named, call.query);
    return { status: 200, body: { ...page, items: page.items.map(flagView) } };
  },
});

export const readFlag = flags.read({ asks: 'flag.read' });

export const updateFlag = flags.update({
  description:
    'Fields you send are replaced; `null` removes `filter` or `variants`. Raising `rolloutPercent` only adds people, lowering it only removes people.',
  body: flagPatch,
  asks: 'flag.update',
  says: ({ body }) => ({ input: flagInput(body), ...present({ key: body.key }) }),
});

export const deleteFlag = flags.remove({
  description: 'Deleted flags are missing from the SDK response, which apps treat as off.',
  asks: 'flag.delete',
});

export const evaluateFlag = route({
  method: 'GET',
  path: '/v1/apps/:appId/flags/:key/evaluate',
  summary: 'Explain a feature flag',
  tag: 'Feature flags',
  access: key('read'),
  reads: ['flag', 'subscriber'],
  params: { key: 'Flag key, or flag id.' },
  query: z.object({ subscriberId: z.string().min(1).max(512).describe(personParam) }),
  responses: {
    200: {
      description: 'What the person gets now, and why.',
      schema: z
        .object({
          enabled: z.boolean(),
          variant: z.string().optional().describe('Set if the flag is on and has variants.'),
          reason: z
            .enum(['off', 'filter', 'rollout', 'on'])
            .describe(
              "`off`: the flag is off for everyone. `filter`: the person does not match. `rollout`: the person's position is not below `rolloutPercent`.",
            ),
          conditions: z
            .array(
              z.object({
                path: z.string(),
                condition: z.record(z.string(), z.unknown()),
                holds: z.boolean(),
              }),
            )
            .describe('Each condition of the filter, in the order they are written.'),
          place: z.number().describe("The person's rollout position, from 0 to below 100."),
          rolloutPercent: z.number(),
        })
        .meta({
          examples: [
            {
              enabled: true,
              variant: 'one-page',
              reason: 'on',
              conditions: [{ path: 'filter', condition: { tag: 'plan', eq: 'pro' }, holds: true }],
              place: 17.204,
              rolloutPercent: 25,
            },
          ],
        }),
    },
  },
  async handle(call) {
    const { subscriberId } = call.query;
    const ref = personNamed(subscriberId);
    const question = { flag: call.param('key'), ref };
    const explained = await ofPersonNamed(
      call.to<FlagsProtocol>(call.app()).ask('flag.explain', question),
      subscriberId,
    );
    return { status: 200, body: explained };
  },
});

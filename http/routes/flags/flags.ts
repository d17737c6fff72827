// The feature flags of an app.

import type { FlagsProtocol } from '../../../actors/audiences/flags/protocol.ts';
import { limits } from '../../../actors/limits.ts';
import { pagesBy } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
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

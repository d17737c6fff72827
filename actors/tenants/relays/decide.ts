// Decides about relays. The edge has judged the outer form of a call; the configuration is judged
// here, because an update has only a part of it.

import {
  accepted,
  type Context,
  type Decision,
  refused,
  type Tell,
} from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { hourMs } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { formProblem } from '../../channels/credentials.ts';
import { fingerprintOf } from '../../channels/port/fingerprint.ts';
import { type RelayConfig, streams } from '../../channels/port/open-relay.ts';
import type { RelayKind } from '../../channels/port/relay-kind.ts';
import { relayKinds } from '../../channels/relays/kinds.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { relayPlace, type Sealer } from '../../sealer.ts';
import type { RelaysApp, RelaysMemory, RelaysOrg } from './memory.ts';
import { mendedChannels, mendedTells } from './mended.ts';
import { openRelay } from './open-relay.ts';
import type { RelayInput, RelaysEntry, RelaysProtocol, RelayView } from './protocol.ts';
import type { RelayRecord } from './records.ts';
import { waysOf } from './ways.ts';

export interface RelaysRules {
  readonly sealer: Sealer;
}

type Owner = RelaysApp | RelaysOrg;

export function relaysDecisions({ sealer }: RelaysRules): Decisions<RelaysProtocol, RelaysMemory> {
  return {
    'relay.create': (state, { channel, relayKind, input }, context) =>
      withOwner(state, context, (owner) => {
        if (owner.relays.size >= limits.relaysMax)
          return refused(fault('limit_reached', `there are at most ${limits.relaysMax} relays`));
        const kind = relayKinds[relayKind];
        if (kind === undefined || !kind.channels.includes(channel))
          return refused(fieldFault('kind', `does not send on the channel ${channel}`));
        const checked = checkedConfig(kind, channel, input.config);
        if ('code' in checked) return refused(checked);
        const relay = patched(freshRelay(owner, { channel, relayKind, ...input }, context), input);
        return saved(state, sealedWith(relay, kind, checked.config, sealer, context), context);
      }),

    'relay.read': (state, { relayId }, context) =>
      withRelay(state, relayId, context, (relay) => accepted(viewOf(relay))),

    'relay.update': (state, { relayId, input }, context) =>
      withRelay(state, relayId, context, (before) => {
        const relay = { ...patched(before, input), updatedMs: context.nowMs };
        if (input.config === undefined) return saved(state, relay, context);
        const kind = relayKinds[before.kind];
        if (kind === undefined) return refused(notFound('relay'));
        const known = openRelay(before, sealer, context.nowMs)?.config ?? {};
        const { channel } = before;
        const checked = checkedConfig(kind, channel, withChange(kind, known, input.config));
        if ('code' in checked) return refused(checked);
        return saved(state, sealedWith(relay, kind, checked.config, sealer, context), context);
      }),

    'relay.delete': (state, { relayId }, context) =>
      withRelay(state, relayId, context, () => {
        const entry: RelaysEntry = { kind: 'relay.deleted', owner: context.owner, relayId };
        return accepted(null, { entries: [entry], tells: retold(state, context) });
      }),

    'relay.list': (state, _message, context) =>
      withOwner(state, context, ({ relays }) => accepted([...relays.values()].map(viewOf))),

    'relay.ways': ({ apps }, { channel, stream }, { owner }) => {
      const app = apps.get(owner);
      if (app === undefined) return refused(notFound('app'));
      return accepted(waysOf(app, channel, stream).map(viewOf));
    },

    'relay.open': (state, { relayId, config: change }, context) =>
      withRelay(state, relayId, context, (relay) => {
        const opened = openRelay(relay, sealer, context.nowMs) ?? null;
        const kind = relayKinds[relay.kind];
        const { channel } = relay;
        if (opened === null || change === undefined || kind === undefined)
          return accepted({ relay: opened, channel });
        const changed = withChange(kind, opened.config, change);
        const checked = checkedConfig(kind, channel, changed);
        if ('code' in checked) return refused(checked);
        const { config } = checked;
        const tried = { ...opened, config, fingerprint: fingerprintOf(config) };
        return accepted({ relay: tried, channel });
      }),

    'relay.reported': (state, { relayId }, context) =>
      withRelay(state, relayId, context, ({ reportedMs = 0 }) => {
        const { owner, nowMs: atMs } = context;
        if (atMs < reportedMs + hourMs) return accepted(null);
        const entry: RelaysEntry = { kind: 'relay.reported', owner, relayId, atMs };
        return accepted(null, { entries: [entry], tells: retold(state, context) });
      }),
  };
}

function withOwner<R>(
  { apps, orgs }: RelaysMemory,
  { owner }: Context,
  decide: (owner: Owner) => Decision<R>,
): Decision<R> {
  const found = apps.get(owner) ?? orgs.get(owner);
  return found === undefined ? refused(notFound('relay')) : decide(found);
}

function withRelay<R>(
  state: RelaysMemory,
  relayId: string,
  context: Context,
  decide: (relay: RelayRecord) => Decision<R>,
): Decision<R> {
  return withOwner(state, context, ({ relays }) => {
    const relay = relays.get(relayId);
    return relay === undefined ? refused(notFound('relay')) : decide(relay);
  });
}

function freshRelay(
  { relays }: Owner,
  { name, channel, relayKind: kind }: Pick<NewRelay, 'name' | 'channel' | 'relayKind'>,
  { owner, nowMs, rng }: Context,
): RelayRecord {
  const others = [...relays.values()].filter((one) => one.channel === channel);
  const last = Math.max(0, ...others.map(({ order }) => order));
  return {
    id: newId('rel', owner, nowMs, rng),
    ...{ owner, name, channel, kind },
    streams,
    order: last + 1,
    enabled: true,
    ...{ sealed: new Uint8Array(), shown: {}, fingerprint: '' },
    ...{ createdMs: nowMs, updatedMs: nowMs },
  };
}

type NewRelay = Omit<RelaysProtocol['relay.create']['body'], 'input'> & { readonly name: string };

function patched(before: RelayRecord, input: RelayInput): RelayRecord {
  const { perSecond: secondBefore, perDay: dayBefore, ...rest } = before;
  const perSecond = input.perSecond === undefined ? secondBefore : (input.perSecond ?? undefined);
  const perDay = input.perDay === undefined ? dayBefore : (input.perDay ?? undefined);
  return {
    ...rest,
    name: input.name ?? before.name,
    streams: input.streams ?? before.streams,
    order: input.order ?? before.order,
    enabled: input.enabled ?? before.enabled,
    ...(perSecond === undefined ? {} : { perSecond }),
    ...(perDay === undefined ? {} : { perDay }),
  };
}

/** Members are replaced, and those that are `null` removed. */
function withChange({ changed }: RelayKind, known: RelayConfig, change: RelayConfig): RelayConfig {
  const config = changed?.(known, change) ?? { ...known, ...change };
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== null));
}

/** The configuration as its kind wants it, or what is wrong with it. */
function checkedConfig(
  kind: RelayKind,
  channel: ChannelId,
  given: unknown,
): { config: RelayConfig } | Fault {
  const parsed = kind.configSchema.safeParse(given, { error: formProblem });
  const problem = parsed.data && kind.channelProblem?.(parsed.data, channel);
  if (problem !== undefined) return fieldFault(problem.field, problem.message);
  if (parsed.success) return { config: parsed.data };
  const issues = parsed.error.issues.map(({ path, message }) => ({
    field: ['config', ...path].join('.'),
    error: message,
  }));
  const { field, error } = issues[0] ?? { field: 'config', error: 'is not valid' };
  return { code: 'invalid', message: `${field}: ${error}`, field, issues };
}

function sealedWith(
  relay: RelayRecord,
  { secrets }: RelayKind,
  config: RelayConfig,
  sealer: Sealer,
  { rng }: Context,
): RelayRecord {
  const shown = Object.entries(config).filter(([name]) => !secrets.includes(name));
  const place = relayPlace(relay.owner, relay.id);
  return {
    ...relay,
    sealed: sealer.seal(JSON.stringify(config), place, rng),
    shown: Object.fromEntries(shown),
    fingerprint: fingerprintOf(config),
  };
}

function saved(state: RelaysMemory, relay: RelayRecord, context: Context): Decision<RelayView> {
  const { owner } = context;
  const { apps, orgs } = state;
  const before = (apps.get(owner) ?? orgs.get(owner))?.relays.get(relay.id);
  const channels = mendedChannels(before === undefined ? [] : [before], [relay]);
  const mended = mendedTells(orgs.get(owner)?.apps ?? [owner], channels);
  const entry: RelaysEntry = { kind: 'relay.saved', owner, relay };
  return accepted(viewOf(relay), {
    entries: [entry],
    tells: [...retold(state, context), ...mended],
  });
}

function viewOf({ sealed: _, ...relay }: RelayRecord): RelayView {
  return relay;
}

/** An org's clients use its relays, too. */
function retold({ orgs }: RelaysMemory, { owner }: Context): readonly Tell[] {
  if (!orgs.has(owner)) return [];
  return [{ to: owner, message: { kind: 'clients.retell', by: -1 } as Tell['message'] }];
}

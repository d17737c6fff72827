// Decides about feature flags and evaluates them for one person. Source: contract, section 9;
// specification, "Segment".

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { fault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { withPerson } from '../../people/audience/find-person.ts';
import { withApp, withNamed } from '../../tenants/accounts/with-app.ts';
import { explain, workOfCondition } from '../segments/evaluate.ts';
import type { Filter } from '../segments/filter.ts';
import { validateFilter } from '../segments/find-segment.ts';
import { nothingUncounted, stillUncounted, uncountedTimes } from '../segments/uncounted-times.ts';
import { withTimes } from '../segments/with-traits.ts';
import {
  draw,
  type Flag,
  type FlagRecord,
  type FlagValue,
  flagValueOf,
  reasonOf,
  rolloutPlaceOf,
} from './flag.ts';
import type { FlagsMemory, FlagsView } from './memory.ts';
import type { FlagInput, FlagsEntry, FlagsProtocol } from './protocol.ts';

export const flagsDecisions: Decisions<FlagsProtocol, FlagsMemory> = {
  'flag.create': (state, { key, input }, context) =>
    withApp(state, context, (app) => {
      if (app.flags.has(key)) return refused(keyInUse(key));
      if (app.flags.size >= limits.flagsMax)
        return refused(
          fault('limit_reached', `key: an app has at most ${limits.flagsMax} flags`, {
            field: 'key',
          }),
        );
      const { owner, nowMs } = context;
      const id = newId('flg', owner, nowMs, context.rng);
      const fresh: FlagRecord = {
        id,
        key,
        enabled: false,
        rolloutPercent: 100,
        createdMs: nowMs,
        updatedMs: nowMs,
      };
      return save(app, fresh, input, context);
    }),

  'flag.read': (state, { flag }, context) =>
    withFlag(state, flag, context, ({ record }) => accepted(record)),

  'flag.update': (state, { flag, key, input }, context) =>
    withFlag(state, flag, context, ({ record }, app) => {
      if (key !== undefined && key !== record.key)
        return refused(
          fieldFault(
            'key',
            'cannot be changed, because everyone would get a different rollout position',
          ),
        );
      return save(app, { ...record, updatedMs: context.nowMs }, input, context);
    }),

  'flag.delete': (state, { flag }, context) =>
    withFlag(state, flag, context, ({ record }) => {
      const entry: FlagsEntry = { kind: 'flag.deleted', owner: context.owner, key: record.key };
      return accepted(null, { entries: [entry] });
    }),

  'flag.list': (state, _message, context) =>
    withApp(state, context, ({ flags }) =>
      accepted([...flags.values()].map(({ record }) => record)),
    ),

  'flag.explain': (state, { flag, ref, times }, context) =>
    withFlag(state, flag, context, (found, app) =>
      withPerson(state, ref, context, (_app, { id, person }) => {
        const traits = withTimes(app.traits, times);
        const { filter, rolloutPercent } = found.record;
        const waiting = stillUncounted(filtersOf(app, flag), traits);
        if (waiting !== undefined) return refused(waiting);
        const { nowMs } = context;
        const who = { person, drawn: draw(id) };
        return accepted({
          ...flagValueOf(found, who, traits, nowMs),
          reason: reasonOf(found, who, traits, nowMs),
          conditions: filter === undefined ? [] : explain(filter, traits, person, nowMs),
          place: rolloutPlaceOf(found, who.drawn),
          rolloutPercent,
        });
      }),
    ),

  'flags.uncounted': (state, { flag, ref }, context) =>
    withApp(state, context, (app) => {
      const filters = [...(flag === undefined ? countingFilters(app) : filtersOf(app, flag))];
      if (filters.length === 0) return accepted(nothingUncounted);
      return withPerson(state, ref, context, (app, { person }) =>
        accepted(uncountedTimes(filters, app, person, context.nowMs)),
      );
    }),

  'flags.evaluate': (state, { ref, times }, context) =>
    withPerson(state, ref, context, (app, { id, person }) => {
      const traits = withTimes(app.traits, times);
      const waiting = stillUncounted(countingFilters(app), traits);
      if (waiting !== undefined) return refused(waiting);
      const who = { person, drawn: draw(id) };
      const values: Record<string, FlagValue> = {};
      let work = 0;
      for (const [key, flag] of app.flags) {
        values[key] = flagValueOf(flag, who, traits, context.nowMs);
        work += flagWork + flag.conditions * workOfCondition;
      }
      return accepted(values, { work });
    }),
};

/** `Decision.work` of a flag without a filter. */
const flagWork = 32;

/** The filter of one flag, on or off; empty if there is no such flag or filter. */
function filtersOf(app: FlagsView, named: string): readonly Filter[] {
  const filter = findFlag(app, named)?.record.filter;
  return filter === undefined ? [] : [filter];
}

/** Filters that count events, of flags that are on; the others do not matter. */
function* countingFilters({ flags }: FlagsView): Generator<Filter> {
  for (const { record, countsEvents } of flags.values()) {
    if (countsEvents && record.enabled && record.filter !== undefined) yield record.filter;
  }
}

function save(
  app: FlagsView,
  before: FlagRecord,
  input: FlagInput,
  { owner }: Context,
): Decision<FlagRecord> {
  const { enabled = before.enabled, rolloutPercent = before.rolloutPercent } = input;
  const { filter: oldFilter, variants: oldVariants, ...rest } = before;
  const validated = input.filter == null ? undefined : validateFilter(app, input.filter);
  if (validated !== undefined && 'fault' in validated) return refused(validated.fault);
  const filter = input.filter === undefined ? oldFilter : validated?.filter;
  const variants = input.variants === undefined ? oldVariants : (input.variants ?? undefined);
  const flag: FlagRecord = {
    ...rest,
    enabled,
    rolloutPercent,
    ...(filter === undefined ? {} : { filter }),
    ...(variants === undefined ? {} : { variants }),
  };
  const entry: FlagsEntry = { kind: 'flag.saved', owner, flag };
  return accepted(flag, { entries: [entry] });
}

function keyInUse(key: string): Fault {
  return fault('duplicate', `key: the app already has a flag "${key}"`, { field: 'key' });
}

/** No key has the form of an id. */
export function findFlag({ flags }: FlagsView, named: string): Flag | undefined {
  return flags.get(named) ?? [...flags.values()].find(({ record }) => record.id === named);
}

const withFlag = withNamed('flag', findFlag);

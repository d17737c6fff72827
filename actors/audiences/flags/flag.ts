// A feature flag and who it is on for. The place in a rollout depends on the flag's key and the
// subscriber's id alone, so raising the percentage only adds people; hence a key can never change.
// Variants use weighted rendezvous, apart from that place: a change of one weight moves people only
// to or from that variant, and neither the percentage nor the list's order moves anyone.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { hash32, hash32Word } from '../../../engine/base/hash.ts';
import { etagOf } from '../../etag.ts';
import { countedNames, matches } from '../segments/evaluate.ts';
import { conditionCount, type Filter } from '../segments/filter.ts';
import type { TraitsReads } from '../segments/reads.ts';

/** Each variant gets the share of its weight in the sum. */
export interface FlagVariant {
  readonly key: string;
  readonly weight: number;
}

export interface FlagRecord {
  readonly id: string;
  readonly key: string;
  readonly enabled: boolean;
  /** Only for people who match; without it for everyone. */
  readonly filter?: Filter;
  /** 0 to 100, of those who match. */
  readonly rolloutPercent: number;
  /** At least one has a weight; absent for a flag that is only on or off. */
  readonly variants?: readonly FlagVariant[];
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** A flag with derived values, made once when it is folded. */
export interface Flag {
  readonly record: FlagRecord;
  readonly rolloutSeed: number;
  /** By the variants' places in the list. */
  readonly variantSeeds: readonly number[];
  /** Whether its filter counts events, for which a column may be missing. */
  readonly countsEvents: boolean;
  /** Of its filter; 0 without one. */
  readonly conditions: number;
}

export interface FlagValue {
  readonly enabled: boolean;
  /** Of a flag that is on and has variants. */
  readonly variant?: string;
}

interface FlagPerson {
  readonly person: PersonOrdinal;
  /** `draw` of the subscriber's id. */
  readonly drawn: number;
}

const words = 0x1_0000_0000;

/** The first reason that applies, in this order. */
export type FlagReason = 'off' | 'filter' | 'rollout' | 'on';

/** Keys of flags and variants have no `/`, so no two draws share a seed's text. */
export function flagOf(record: FlagRecord): Flag {
  const variantSeeds = (record.variants ?? []).map(({ key }) => hash32(`${record.key}/${key}`));
  const { key, filter } = record;
  const counts = filter !== undefined && countedNames(filter).length > 0;
  return {
    record,
    rolloutSeed: hash32(key),
    variantSeeds,
    countsEvents: counts,
    conditions: conditionCount(filter),
  };
}

/** The number behind all draws of a person. */
export function draw(subscriberId: string): number {
  return hash32(subscriberId);
}

/** A person's place in a flag's rollout, from 0 to below 100: in if below the percentage. */
export function rolloutPlaceOf({ rolloutSeed }: Flag, drawn: number): number {
  return (hash32Word(rolloutSeed, drawn) / words) * 100;
}

export function reasonOf(
  flag: Flag,
  who: FlagPerson,
  traits: TraitsReads,
  nowMs: Millis,
): FlagReason {
  if (!flag.record.enabled) return 'off';
  if (!isMatch(flag, who, traits, nowMs)) return 'filter';
  return isWithin(flag, who) ? 'on' : 'rollout';
}

export function flagValueOf(
  flag: Flag,
  who: FlagPerson,
  traits: TraitsReads,
  nowMs: Millis,
): FlagValue {
  // The rollout costs a hundredth of the filter, so it comes first.
  const { enabled } = flag.record;
  if (!(enabled && isWithin(flag, who) && isMatch(flag, who, traits, nowMs))) return off;
  const variant = flagVariantOf(flag, who.drawn);
  return variant === undefined ? { enabled: true } : { enabled: true, variant };
}

const off: FlagValue = { enabled: false };

function isWithin(flag: Flag, { drawn }: FlagPerson): boolean {
  return rolloutPlaceOf(flag, drawn) < flag.record.rolloutPercent;
}

function isMatch(flag: Flag, { person }: FlagPerson, traits: TraitsReads, nowMs: Millis): boolean {
  const { filter } = flag.record;
  return filter === undefined || matches(filter, traits, person, nowMs);
}

/**
 * Each variant draws from an exponential distribution with its weight as rate, and the least draw
 * wins: variant i with the share of its weight, whatever the others are.
 */
export function flagVariantOf({ record, variantSeeds }: Flag, drawn: number): string | undefined {
  let best: FlagVariant | undefined;
  let least = Number.POSITIVE_INFINITY;
  const { variants = [] } = record;
  for (let i = 0; i < variants.length; i++) {
    const variant = variants[i] as FlagVariant;
    if (variant.weight === 0) continue;
    // Half a step up: the logarithm of zero would win whatever the weight.
    const uniform = (hash32Word(variantSeeds[i] as number, drawn) + 0.5) / words;
    const wait = -Math.log(uniform) / variant.weight;
    if (wait > least) continue;
    // Breaks ties by key, so that the list's order does not matter.
    if (wait === least && best !== undefined && best.key < variant.key) continue;
    best = variant;
    least = wait;
  }
  return best?.key;
}

/** Lists add members to a record. */
export function flagEtag(flag: FlagRecord): string {
  const { id, key, enabled, filter, rolloutPercent, variants } = flag;
  return etagOf({ id, key, enabled, filter, rolloutPercent, variants });
}

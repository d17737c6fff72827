// A feature flag and whom it is on for. A person's place in a rollout is a number that depends on
// the flag's key and the subscriber's id alone, so raising the percentage only adds people. A
// variant is drawn apart from that number, by weighted rendezvous: each variant draws for the
// person and the best draw wins, so a change of one weight moves people only to or from that
// variant, and neither the percentage nor the order of the list moves anybody. What a reader would
// get wrong: the key can never change, since everybody's place would.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import { hash32, hash32Word } from '../../../engine/base/hash.ts';
import { countedNames, matches } from '../segments/evaluate.ts';
import { conditionCount, type Filter } from '../segments/filter.ts';
import type { TraitsReads } from '../segments/reads.ts';

/**
 * One arm of a flag. People are spread by `weight`, of which the sum matters only as what each is a
 * share of.
 */
export interface FlagVariant {
  readonly key: string;
  readonly weight: number;
}

/** A flag as it is kept. */
export interface FlagRecord {
  readonly id: string;
  readonly key: string;
  readonly enabled: boolean;
  /** Only for people who match; everybody without one. */
  readonly filter?: Filter;
  /** 0 to 100, of those who match. */
  readonly rolloutPercent: number;
  /** At least one, of which one has a weight; absent for a flag that is only on or off. */
  readonly variants?: readonly FlagVariant[];
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

/** A flag with what follows from it, made once when it is folded. */
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

/** What a flag is for one person. */
export interface FlagValue {
  readonly enabled: boolean;
  /** Of a flag that is on and has variants. */
  readonly variant?: string;
}

/** A person as flags see them. */
interface FlagPerson {
  readonly person: PersonOrdinal;
  /** `draw` of the subscriber's id. */
  readonly drawn: number;
}

const words = 0x1_0000_0000;

/**
 * Why a flag is what it is; `on` where nothing says otherwise. The first reason that applies, in
 * this order.
 */
export type FlagReason = 'off' | 'filter' | 'rollout' | 'on';

/**
 * A flag with its seeds. Keys of flags and variants hold no `/`, so no two draws share a seed's
 * text.
 */
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

/** The number that all draws of a person come from. */
export function draw(subscriberId: string): number {
  return hash32(subscriberId);
}

/**
 * A person's place in a flag's rollout: from 0 up to, and without, 100. In when it is below the
 * percentage.
 */
export function rolloutPlaceOf({ rolloutSeed }: Flag, drawn: number): number {
  return (hash32Word(rolloutSeed, drawn) / words) * 100;
}

/** Why a flag is on or off for a person now. */
export function reasonOf(
  flag: Flag,
  who: FlagPerson,
  traits: TraitsReads,
  nowMs: Millis,
): FlagReason {
  if (!flag.record.enabled) return 'off';
  if (!isMeant(flag, who, traits, nowMs)) return 'filter';
  return isWithin(flag, who) ? 'on' : 'rollout';
}

/** What a flag is for a person now. */
export function flagValueOf(
  flag: Flag,
  who: FlagPerson,
  traits: TraitsReads,
  nowMs: Millis,
): FlagValue {
  // The place before the filter, of which it costs a hundredth.
  const { enabled } = flag.record;
  if (!(enabled && isWithin(flag, who) && isMeant(flag, who, traits, nowMs))) return off;
  const variant = flagVariantOf(flag, who.drawn);
  return variant === undefined ? { enabled: true } : { enabled: true, variant };
}

const off: FlagValue = { enabled: false };

function isWithin(flag: Flag, { drawn }: FlagPerson): boolean {
  return rolloutPlaceOf(flag, drawn) < flag.record.rolloutPercent;
}

function isMeant(flag: Flag, { person }: FlagPerson, traits: TraitsReads, nowMs: Millis): boolean {
  const { filter } = flag.record;
  return filter === undefined || matches(filter, traits, person, nowMs);
}

/**
 * The person's variant. Each of them draws from an exponential distribution whose rate is its
 * weight, and the least draw wins: variant i with the share of its weight, whatever the others are.
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
    // Two draws that are equal must not make the order of the list matter.
    if (wait === least && best !== undefined && best.key < variant.key) continue;
    best = variant;
    least = wait;
  }
  return best?.key;
}

// What one seed switches on. Every seed draws its own mixture (swarm testing): a world with every
// fault in it hides what a world with two of them shows. The shape of the machine and the bounds of
// a turn are drawn too, because small bounds reach branches that the production ones leave
// untouched.

import type { TurnLimits } from '../../engine/actor/partition-options.ts';
import { hourMs, minuteMs } from '../../engine/base/brand.ts';
import { pick, type Rng, seededRng } from '../../engine/base/rng.ts';
import { coin, span, whole } from './chance.ts';

/** How the outcomes of provider calls are spread while faults are on; weights, 0 is never. */
interface ProviderWeather {
  readonly accepted: number;
  readonly dead: number;
  readonly opted_out: number;
  readonly permanent: number;
  readonly retry: number;
  readonly rate: number;
  /** No answer for 10 to 30 seconds, then `ambiguous`. */
  readonly hang: number;
  /** `ambiguous` at once: the connection broke. */
  readonly broken: number;
  /** The adapter throws. */
  readonly bug: number;
}

/** One seed's world: its shape, its faults and how much is asked of it. */
export interface Faults {
  readonly partitions: number;
  readonly shards: number;
  readonly dispatchers: number;
  /** How many of them share a campaign. */
  readonly campaignDispatchers: number;
  readonly orgs: number;
  readonly appsPerOrg: number;
  readonly workersPerApp: number;
  readonly peoplePerWorker: number;
  /** Operations of all clients together. */
  readonly operations: number;
  /** How long faults last, in virtual milliseconds. */
  readonly chaosMs: number;
  /** The process dies about once in so many events; infinity is never. */
  readonly eventsPerCrash: number;
  /** The process is drained and starts again about once in so many events. */
  readonly eventsPerDrain: number;
  /** A commit fails and ends the process, now and then. */
  readonly commitFailures: boolean;
  /** A commit takes up to nine seconds, now and then. */
  readonly commitStalls: boolean;
  readonly linkDelayMaxMs: number;
  /** The wall clock jumps ahead and back. */
  readonly clockJumps: boolean;
  /**
   * What the clock shows after a restart: `wrong` by up to a day behind or a year ahead, for a
   * while; or `right` after a downtime of a minute to a year. Never drawn; see `clock-worlds`.
   */
  readonly startClocks?: 'wrong' | 'right';
  /** Whether the kernel says soon that the clock is right, where it is. */
  readonly kernelConfirms?: boolean;
  /** The disk is nearly full for some windows. */
  readonly diskLow: boolean;
  /** Restarts take memory from a checkpoint and the log's tail, where one was made. */
  readonly checkpoints: boolean;
  readonly credentialsRequired: boolean;
  /** One app is deleted on the way. */
  readonly appDeletion: boolean;
  /** One hundred sends at once, more than a provider account takes. */
  readonly bursts: boolean;
  readonly dailySendCap: number | null;
  readonly limits: Partial<TurnLimits>;
  readonly provider: ProviderWeather;
  readonly providerLatencyMaxMs: number;
  /** Windows in which every call of an account is `config`. */
  readonly outages: boolean;
  /**
   * Campaigns are made, sent and steered; people answer them, move and turn out to be somebody
   * else.
   */
  readonly campaigns: boolean;
  /**
   * Journeys are made, switched on and off and changed; people move and turn out to be somebody
   * else. Never with campaigns.
   */
  readonly journeys: boolean;
  /** Destinations of webhooks are saved, switched off, removed, and asked to try again. */
  readonly destinations: boolean;
  /** Apps have mail relays that report, and campaigns a sender domain that warms up. */
  readonly mailRelays: boolean;
  /** All orgs but the first are client workspaces of the first. */
  readonly clients: boolean;
  /** Of messages between partitions: lost, and made twice, about one in so many. */
  readonly relaysPerFault: number;
}

/** Draws a world. The same stream gives the same world. */
export function drawFaults(rng: Rng): Faults {
  const partitions = whole(rng, 1, 3);
  const on = (probability = 0.5) => coin(rng, probability);
  const often = (weight: number, probability = 0.5) => (coin(rng, probability) ? weight : 0);
  const drawn = {
    partitions,
    shards: whole(rng, 1, partitions),
    dispatchers: whole(rng, 1, 2),
    orgs: whole(rng, 1, 3),
    appsPerOrg: whole(rng, 1, 2),
    workersPerApp: whole(rng, 1, 2),
    peoplePerWorker: whole(rng, 2, 6),
    operations: whole(rng, 60, 360),
    chaosMs: span(rng, 5 * minuteMs, 60 * hourMs),
    eventsPerCrash: on(0.7) ? span(rng, 150, 4_000) : Number.POSITIVE_INFINITY,
    eventsPerDrain: on(0.3) ? span(rng, 300, 4_000) : Number.POSITIVE_INFINITY,
    commitFailures: on(0.3),
    commitStalls: on(0.3),
    linkDelayMaxMs: span(rng, 0.2, 2_000),
    clockJumps: on(0.3),
    diskLow: on(0.2),
    checkpoints: on(),
    credentialsRequired: on(0.3),
    appDeletion: on(0.25),
    bursts: on(0.15),
    dailySendCap: on(0.2) ? whole(rng, 5, 40) : null,
    limits: on() ? drawLimits(rng) : {},
    provider: {
      accepted: 10,
      dead: often(1),
      opted_out: often(1),
      permanent: often(1, 0.3),
      retry: often(pick(rng, [1, 5, 40])),
      rate: often(pick(rng, [1, 5, 20])),
      hang: often(pick(rng, [1, 5]), 0.4),
      broken: often(pick(rng, [1, 5]), 0.4),
      bug: often(1, 0.2),
    },
    providerLatencyMaxMs: span(rng, 5, 8_000),
    outages: on(0.4),
  };
  const campaigns = on(0.2);
  const journeys = !campaigns && on(0.25);
  const hasMarketing = campaigns || journeys;
  // Their quiet hours and delivery hours take days to end, and rows of sends must not reach the end
  // of their retention.
  const chaosMs = hasMarketing ? Math.min(drawn.chaosMs, 24 * hourMs) : drawn.chaosMs;
  const peoplePerWorker = hasMarketing ? whole(rng, 3, 8) : drawn.peoplePerWorker;
  // Drawn last, so that it changes nothing else of a seed's world.
  const clients = on();
  const relaysPerFault = on(0.7) ? whole(rng, 2, 10) : Number.POSITIVE_INFINITY;
  const destinations = on(0.3);
  const campaignDispatchers = campaigns && on(0.75) ? drawn.dispatchers : 1;
  const marketing = { chaosMs, peoplePerWorker, campaigns, journeys };
  return {
    ...{ ...drawn, ...marketing, clients, relaysPerFault, destinations, campaignDispatchers },
    mailRelays: false,
  };
}

/** The first worlds are kept as they were, so that their hashes show what changes behavior. */
const oldSeeds = 6;

/** Half of the newer worlds have relays, by a stream that moves nothing else of a world. */
export function withMailRelays(faults: Faults, seed: number): Faults {
  const mailRelays = seed > oldSeeds && coin(seededRng(seed, 'mail relays'), 0.5);
  return { ...faults, mailRelays };
}

/** The world after the faults: the same machine, and nothing goes wrong any more. */
export function healed(faults: Faults): Faults {
  return {
    ...faults,
    eventsPerCrash: Number.POSITIVE_INFINITY,
    eventsPerDrain: Number.POSITIVE_INFINITY,
    commitFailures: false,
    commitStalls: false,
    linkDelayMaxMs: 1,
    clockJumps: false,
    diskLow: false,
    provider: {
      accepted: 1,
      dead: 0,
      opted_out: 0,
      permanent: 0,
      retry: 0,
      rate: 0,
      hang: 0,
      broken: 0,
      bug: 0,
    },
    providerLatencyMaxMs: 50,
    outages: false,
    relaysPerFault: Number.POSITIVE_INFINITY,
  };
}

function drawLimits(rng: Rng): Partial<TurnLimits> {
  return {
    messagesMax: whole(rng, 4, 64),
    turnMessagesMax: whole(rng, 1, 8),
    turnBytesMax: pick(rng, [64, 1_024, 65_536]),
    turnTimersMax: whole(rng, 1, 4),
    turnPumpMax: whole(rng, 1, 8),
    commitsInFlightMax: whole(rng, 1, 2),
  };
}

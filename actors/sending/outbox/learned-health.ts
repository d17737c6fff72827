// What a report teaches about an app's provider and its relays, and when those that wait for it are
// asked again. For reports on single sends and on waves of campaigns alike.

import type { Context, Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { isRelayName, type Stream, serverRelay } from '../../channels/port/open-relay.ts';
import type { Outcome } from '../../channels/port/outcome.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import { relayOf } from '../../tenants/relays/reads.ts';
import { othersSlowed } from './account-calls.ts';
import { isCircuitOpen, type ProviderHealth } from './circuit.ts';
import { healthAfter, healthAfterProbe, pauseEnds, withoutProbes } from './provider-health.ts';
import type { SendsReads, SendsView } from './reads.ts';
import { type RelayRules, relaysNow, whenDayEnds } from './relay-rules.ts';
import { isTakenElsewhere } from './relay-turns.ts';
import { channelResumeTimer } from './timers.ts';

type App = SendsReads & Pick<AccountsReads, 'record'> & Pick<SendsView, 'credentials'>;

export class LearnedHealth {
  readonly #app: App;
  readonly #rules: RelayRules;
  readonly #channel: ChannelId;
  readonly #nowMs: Millis;
  #health: ProviderHealth;

  constructor(app: App, rules: RelayRules, channel: ChannelId, { nowMs }: Pick<Context, 'nowMs'>) {
    this.#app = app;
    this.#rules = rules;
    this.#channel = channel;
    this.#nowMs = nowMs;
    this.#health = app.outbox.health(channel);
  }

  /** What has been learned so far; for what a single outcome means. */
  get now(): ProviderHealth {
    return this.#health;
  }

  /** `probes`: what the call was to find out about. */
  learn(outcome: Outcome | undefined, probes: readonly string[] = []): void {
    const now = { nowMs: this.#nowMs };
    const health = healthAfter(this.#health, this.#channel, outcome, now);
    this.#health = healthAfterProbe(health, probes, outcome, now);
  }

  /** The process ended: nothing is in flight any more. */
  endProbes(): void {
    this.#health = withoutProbes(this.#health);
  }

  /** Whether an accepted message is news about the relay, or the provider without one. */
  isTroubled(relay: string | undefined): boolean {
    if (relay !== undefined) return this.#health.accounts?.[relay] !== undefined;
    return isCircuitOpen(this.#health) || this.#health.unreached > 0;
  }

  /** Whether a message that its relay did not take may leave by another one now. */
  isTakenElsewhere(stream: Stream, outcome: Outcome | undefined): boolean {
    if (outcome?.account === undefined) return false;
    const relays = this.#relays();
    return relays !== undefined && isTakenElsewhere(relays, stream, outcome);
  }

  /** For the entry that settles the report: without relays that are gone, which nobody asks. */
  get standing(): ProviderHealth {
    const { accounts } = this.#health;
    if (accounts === undefined) return this.#health;
    const known = Object.entries(accounts).filter(([part]) => !this.#isGone(part));
    if (known.length === Object.keys(accounts).length) return this.#health;
    return { ...this.#health, accounts: Object.fromEntries(known) };
  }

  /** What other channels of the account learn, and a timer for the relays whose day is used up. */
  entries(): readonly Entry[] {
    return [
      ...othersSlowed(this.#app, this.#channel, this.#health, this.#nowMs),
      ...whenDayEnds(this.#app.record.ordinal, this.#relays()),
    ];
  }

  #relays(): ReturnType<typeof relaysNow> {
    return relaysNow(this.#app, this.#rules, this.#channel, this.#health, this.#nowMs);
  }

  #isGone(part: string): boolean {
    if (!isRelayName(part) || part === serverRelay) return false;
    return relayOf(this.#app, part) === undefined;
  }
}

/** The timer that resumes a channel, if it has to pause for longer than before. */
export function resumeOf(
  app: Pick<AccountsReads, 'record'> & SendsReads,
  channel: ChannelId,
  health: ProviderHealth | null,
  atMs: Millis,
): Entry[] {
  const before = app.outbox.channels.get(channel);
  if (health === null) return [];
  const { ordinal } = app.record;
  return pauseEnds(before, health, atMs).map((endMs) =>
    channelResumeTimer(ordinal, channel, endMs),
  );
}

// The providers as the world has them: what each call comes to, how long it takes, and what the
// provider did whatever it answered. They outlive the engine's process: a call that was under way
// when it died has been taken or it has not. Dead tokens stay dead and opted-out people stay opted
// out, also after the faults.

import type { Adapter } from '../../actors/channels/port/adapter.ts';
import type { Attempt } from '../../actors/channels/port/attempt.ts';
import type { Outcome } from '../../actors/channels/port/outcome.ts';
import { minuteMs } from '../../engine/base/brand.ts';
import { parseId } from '../../engine/base/id.ts';
import { pick, type Rng } from '../../engine/base/rng.ts';
import type { CallLedger } from './call-ledger.ts';
import { coin, span, weighted, whole } from './chance.ts';
import type { Faults } from './faults.ts';
import { identityOf } from './identity-of.ts';
import type { LogAudit } from './log-audit.ts';
import type { ProviderCall } from './provider-calls.ts';
import type { Timeline } from './timeline.ts';
import { ToldMails } from './told-mails.ts';

/** Who counts calls. */
export type CalledLedger = Pick<CallLedger, 'started' | 'ended'>;

interface ProvidersOptions {
  readonly timeline: Timeline;
  readonly rng: Rng;
  readonly ledger: CalledLedger;
  readonly audit: LogAudit;
  readonly faults: () => Faults;
  readonly note: (text: string) => void;
  /** A promise settles in this event: the world lets it run before the next one. */
  readonly onPromise: () => void;
}

const textsKept = 200;

/** A mail that asks for the confirmation of an address. */
interface AskingMail {
  readonly app: number;
  /** `appId|address`. */
  readonly place: string;
  readonly token: string;
}

interface Decided {
  readonly outcome: Outcome | undefined;
  readonly taken: boolean;
  readonly tookMs: number;
}

interface Weather {
  /** Calls before this instant are `config`. */
  outageUntilMs: number;
  /** Calls before this instant are `rate`. */
  throttledUntilMs: number;
}

/** Every provider of a world. */
export class Providers {
  readonly #options: ProvidersOptions;
  readonly #accounts = new Map<string, Weather>();
  /** Endpoints that never work again, by `channel|endpoint`. */
  readonly dead = new Set<string>();
  /** Identities, by `appId|identity`, that opted out at the provider. */
  readonly optedOut = new Set<string>();
  /** Devices that a provider has called dead or opted out: the product disables them. */
  readonly refusedDevices = new Set<string>();

  /** The newest mails that ask for a confirmation. */
  asking: AskingMail[] = [];
  /** Signed-up addresses, by `appId|address`, whose owner has pressed the button. */
  readonly spokenFor = new Set<string>();
  /** What went to one whose owner had not. */
  readonly tooSoon: string[] = [];

  /** The newest texts that the carrier took: what it may tell of. */
  texts: ProviderCall[] = [];
  /** The same of mails, by whatever way. */
  mails: ProviderCall[] = [];
  /** What relays have told of them. */
  readonly told = new ToldMails();
  /** Identities, by `appId|identity`, that left marketing by what a relay told. */
  readonly left = new Set<string>();

  constructor(options: ProvidersOptions) {
    this.#options = options;
  }

  /** The adapter of one life of the process. It answers nobody once that life is over. */
  adapter(isAlive: () => boolean, ledger = this.#options.ledger): Adapter {
    return {
      send: (attempt, _credentials, _mayBegin, relay) =>
        this.#call(attempt, isAlive, ledger, relay?.id),
      close: () => Promise.resolve(),
    };
  }

  #call(
    attempt: Attempt,
    isAlive: () => boolean,
    ledger: CalledLedger,
    relay?: string,
  ): Promise<Outcome> {
    const { timeline, audit, note, onPromise } = this.#options;
    this.#judgeSignedUp(attempt);
    const { outcome, taken, tookMs } = this.#decide(attempt, relay);
    const call = ledger.started(attempt, taken, audit, relay);
    if (taken && attempt.channel === 'email') this.mails = [...this.mails.slice(-textsKept), call];
    if (taken && attempt.channel === 'sms') this.texts = [...this.texts.slice(-textsKept), call];
    note(`call ${attempt.channel} ${call.key} #${attempt.attempt} -> ${outcome?.outcome ?? 'bug'}`);
    return new Promise((resolve, reject) => {
      timeline.after(tookMs, () => {
        if (!isAlive()) return;
        ledger.ended(call, outcome);
        onPromise();
        if (outcome === undefined) reject(new Error('planted adapter bug'));
        else resolve(outcome);
      });
    });
  }

  /** Of addresses that only sign-ups and their imports bring (`opt-in-work.ts`). */
  #judgeSignedUp({ channel, endpoint, appId, content }: Attempt): void {
    const address = String(endpoint);
    if (channel !== 'email' || !address.startsWith('sign.')) return;
    const place = `${appId}|${address}`;
    const token = /\/confirm\/([\w-]+)/.exec(content.body)?.[1];
    const app = parseId('app', appId)?.ordinal ?? 0;
    if (token !== undefined)
      this.asking = [...this.asking.slice(-textsKept), { app, place, token }];
    else if (!this.spokenFor.has(place))
      this.tooSoon.push(`${content.body.slice(0, 60)} to ${place}`);
  }

  #decide(attempt: Attempt, relay: string | undefined): Decided {
    const { rng, timeline, faults } = this.#options;
    const { provider, providerLatencyMaxMs, outages } = faults();
    const tookMs = span(rng, 1, Math.max(2, providerLatencyMaxMs));
    const endpoint = `${attempt.channel}|${String(attempt.endpoint)}`;
    const identity = identityOf(attempt.channel, attempt.endpoint);
    const person = `${attempt.appId}|${identity ?? endpoint}`;
    const refuse = (outcome: 'dead' | 'opted_out') => {
      this.refusedDevices.add(attempt.deviceId);
      const reason = outcome === 'dead' ? 'unregistered' : 'stop';
      return { outcome: { outcome, reason }, taken: false, tookMs } as const;
    };
    if (this.dead.has(endpoint)) return refuse('dead');
    if (this.optedOut.has(person)) return refuse('opted_out');
    const weather = this.#weather(attempt, relay);
    if (outages && coin(rng, 0.01))
      weather.outageUntilMs = timeline.nowMs + span(rng, 1_000, 30 * minuteMs);
    if (outages && timeline.nowMs < weather.outageUntilMs) {
      return { outcome: { outcome: 'config', reason: 'bad_credentials' }, taken: false, tookMs };
    }
    if (provider.rate > 0 && timeline.nowMs < weather.throttledUntilMs)
      return this.#throttle(tookMs);
    switch (weighted(rng, provider)) {
      case 'accepted':
        return {
          outcome: { outcome: 'accepted', providerMessageId: `m${rng.uint32()}` },
          taken: true,
          tookMs,
        };
      case 'dead':
        this.dead.add(endpoint);
        return refuse('dead');
      case 'opted_out':
        this.optedOut.add(person);
        return refuse('opted_out');
      case 'permanent':
        return { outcome: { outcome: 'permanent', reason: 'bad_content' }, taken: false, tookMs };
      case 'retry': {
        const asked = coin(rng, 0.2) ? { retryAfterMs: whole(rng, 1_000, 15 * minuteMs) } : {};
        return {
          outcome: { outcome: 'retry', reason: pick(rng, ['503', 'reset']), ...asked },
          taken: false,
          tookMs,
        };
      }
      case 'rate':
        weather.throttledUntilMs = timeline.nowMs + span(rng, 100, 2 * minuteMs);
        return this.#throttle(tookMs);
      case 'hang':
        return {
          outcome: { outcome: 'ambiguous', reason: 'timeout' },
          taken: coin(rng, 0.5),
          tookMs: whole(rng, 10_000, 30_000),
        };
      case 'broken':
        return {
          outcome: { outcome: 'ambiguous', reason: 'reset' },
          taken: coin(rng, 0.5),
          tookMs,
        };
      case 'bug':
        return { outcome: undefined, taken: coin(rng, 0.5), tookMs };
    }
  }

  #throttle(tookMs: number) {
    const { rng } = this.#options;
    const asked = coin(rng, 0.5) ? { retryAfterMs: whole(rng, 1_000, 2 * minuteMs) } : {};
    return { outcome: { outcome: 'rate', reason: '429', ...asked }, taken: false, tookMs } as const;
  }

  #weather({ appId, channel }: Attempt, relay = ''): Weather {
    const key = `${appId}|${channel}${relay}`;
    let weather = this.#accounts.get(key);
    if (weather === undefined) {
      weather = { outageUntilMs: 0, throttledUntilMs: 0 };
      this.#accounts.set(key, weather);
    }
    return weather;
  }
}

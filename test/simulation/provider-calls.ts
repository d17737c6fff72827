// The calls that providers got, by whoever made them, and the account of them at the end: what a
// provider truly did, against what the log says.

import type { Attempt } from '../../actors/channels/port/attempt.ts';
import type { Outcome } from '../../actors/channels/port/outcome.ts';
import { identityOf } from './identity-of.ts';
import type { Findings } from './invariants.ts';
import type { LogAudit } from './log-audit.ts';

/** One call as the provider saw it. */
export interface ProviderCall {
  readonly key: string;
  readonly attempt: Attempt;
  /** The mail relay that was called; absent for the server's own way, and other channels. */
  readonly relay?: string;
  /** Whether the provider took it, whatever it answered. */
  readonly taken: boolean;
  /** Once the adapter answered; `undefined` also when it threw. */
  outcome?: Outcome | undefined;
  underWay: boolean;
  unknown: boolean;
  settled: boolean;
  /** The provider has told since, or may have, that it came to nothing. */
  takenBack: boolean;
}

/** What of a grant matters here. */
export interface Granted {
  readonly app: number;
  readonly attempts: readonly {
    readonly attempt: Pick<
      Attempt,
      'sendId' | 'deviceId' | 'channel' | 'endpoint' | 'attempt' | 'lane'
    >;
  }[];
}

/** The calls of one world. */
export class ProviderCalls<Call extends ProviderCall = ProviderCall> {
  protected readonly findings: Findings;
  /** By the device of a send. */
  protected readonly calls = new Map<string, readonly Call[]>();
  #count = 0;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  /** Calls so far. */
  get count(): number {
    return this.#count;
  }

  protected add(call: Call): void {
    this.calls.set(call.key, [...(this.calls.get(call.key) ?? []), call]);
    this.#count++;
  }

  /** Nobody is granted a message that they have opted out of. */
  protected expectWanted(
    appOrdinal: number,
    attempt: Granted['attempts'][number]['attempt'],
    audit: LogAudit,
    acknowledged: ReadonlySet<string>,
  ): void {
    const identity = identityOf(attempt.channel, attempt.endpoint);
    // A sign-up ends its own opt-out by the mail that asks.
    if (identity === undefined || isSignedUp(attempt)) return;
    const app = audit.apps.get(appOrdinal);
    const name = `${appOrdinal}|${identity}`;
    const isOut = app?.suppressed.has(identity) === true || acknowledged.has(name);
    const isNoMarketing =
      app?.noMarketing.has(identity) === true || acknowledged.has(`marketing ${name}`);
    this.findings.expect(
      !isOut && !(attempt.lane === 'bulk' && isNoMarketing),
      'suppression_holds',
      () => `${keyOf(attempt)} is granted to ${identity}, which has opted out of app ${appOrdinal}`,
    );
  }

  /** Emails of an app that were refused for another reason than a dead mailbox. */
  refusedMails(appId: string): number {
    let count = 0;
    for (const calls of this.calls.values())
      for (const { attempt, outcome } of calls)
        if (attempt.channel === 'email' && attempt.appId === appId)
          if (outcome?.outcome === 'permanent' || outcome?.outcome === 'opted_out') count++;
    return count;
  }

  /**
   * The account at the end, when every send has come to its end. `words`: what a send must say,
   * where that is known.
   */
  finish(audit: LogAudit, words: ReadonlyMap<string, string> = new Map()): void {
    for (const [key, calls] of this.calls) {
      const [sendId, deviceId] = key.split('|') as [string, string];
      const must = words.get(sendId);
      const other = calls.find(
        ({ attempt: { content } }) => content?.body.includes(must ?? '') === false,
      );
      this.findings.expect(
        other === undefined,
        'words_kept',
        () => `${key} says ${JSON.stringify(other?.attempt.content.body)}, and not ${must}`,
      );
      const target = audit.target(sendId, deviceId);
      const taken = calls.filter((call) => call.taken).length;
      const unknown = calls.filter((call) => call.unknown).length;
      this.findings.expect(
        taken <= 1 + unknown,
        'accepted_once',
        () =>
          `${key} was accepted ${taken} times in ${calls.length} calls, ${unknown} of them of unknown outcome`,
      );
      if (target === undefined || target.state === 'forgotten') continue;
      // A relay that reports has it, and has not told what became of it.
      const delivered = target.status === 'delivered' || target.status === 'accepted';
      this.findings.expect(
        delivered ? taken > 0 : taken <= unknown || calls.some((call) => call.takenBack),
        'delivered_is_true',
        () => `${key} reads ${target.status} and was accepted ${taken} times`,
      );
    }
  }
}

export function keyOf({ sendId, deviceId }: Pick<Attempt, 'sendId' | 'deviceId'>): string {
  return `${sendId}|${deviceId}`;
}

/** Only sign-ups and their imports bring such addresses (`opt-in-work.ts`). */
function isSignedUp({ channel, endpoint }: Pick<Attempt, 'channel' | 'endpoint'>): boolean {
  return channel === 'email' && String(endpoint).startsWith('sign.');
}

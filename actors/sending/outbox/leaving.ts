// By which relay each due target of a channel leaves, in one turn: names for the entry that starts
// them, opened relays for the dispatcher.

import type { Ordinal } from '../../../engine/base/brand.ts';
import { SealError } from '../../../storage/sealed.ts';
import { type OpenRelay, serverRelay } from '../../channels/port/open-relay.ts';
import type { Sealer } from '../../sealer.ts';
import { openRelay } from '../../tenants/relays/open-relay.ts';
import type { RelayRecord } from '../../tenants/relays/records.ts';
import type { Job, Target } from './job.ts';
import type { CredentialCache } from './open-credentials.ts';
import type { Settlement } from './records.ts';
import { streamOf } from './relay-rules.ts';
import { RelayTurns, type RelayTurnsOf } from './relay-turns.ts';

/** What becomes of one target: it leaves, or it has an end or a wait without a call. */
type Way =
  | { readonly place: number; readonly relay: string; readonly probes?: string }
  | { readonly settlement: Settlement };

/** The end of a message that a relay may have taken which is gone; nobody else gets it. */
export function goneWay(
  { person }: Pick<Job, 'person'>,
  { onlyBy, attempts }: Target,
): { readonly settlement: Settlement } | undefined {
  // Without relays the server's own way is the only one.
  return onlyBy === undefined || onlyBy === serverRelay ? undefined : endUnknown(person, attempts);
}

function endUnknown(person: Job['person'], attempts: number): { readonly settlement: Settlement } {
  const receipt = { person, status: 'failed', reason: 'unknown_outcome', attempts } as const;
  return { settlement: { next: 'done', receipt } };
}

export class RelayLeave {
  /** Places in this list are what an entry stores. */
  readonly names: string[] = [];
  readonly opened: OpenRelay[] = [];
  readonly #of: RelayTurnsOf;
  readonly #turns: RelayTurns;
  readonly #sealer: Sealer;
  readonly #cache: CredentialCache;

  constructor(
    of: RelayTurnsOf,
    sealer: Sealer,
    cache: CredentialCache,
    onUnreadable?: (app: Ordinal, error: Error) => void,
  ) {
    this.#of = of;
    this.#sealer = sealer;
    this.#cache = cache;
    const isReadable = (relay: RelayRecord) => {
      if (this.#open(relay) !== undefined) return true;
      onUnreadable?.(relay.owner, new SealError(`relay ${relay.id} cannot be decrypted`));
      return false;
    };
    this.#turns = new RelayTurns({ ...of, isReadable });
  }

  turnOf(job: Job, target: Target): Way {
    const { person, expiresMs } = job;
    const turn = this.#turns.turnOf(streamOf(job, target.channel), target.onlyBy);
    if ('heldUntilMs' in turn) {
      const dueMs = Math.min(turn.heldUntilMs, expiresMs ?? turn.heldUntilMs);
      const held = { next: 'waiting', dueMs, counted: false, ambiguous: false } as const;
      return { settlement: { ...held, unstarted: true } };
    }
    if ('noWay' in turn) {
      const { attempts } = target;
      const receipt = { person, status: 'suppressed', reason: 'not_configured', attempts } as const;
      if (target.onlyBy !== undefined) return endUnknown(person, attempts);
      return { settlement: { next: 'done', receipt } };
    }
    const { relay, record, probes } = turn;
    const way = { place: this.#place(relay, record), relay };
    return probes === undefined ? way : { ...way, probes: relay };
  }

  /** Relays whose open circuits this turn probes. */
  get probed(): readonly string[] {
    return this.#turns.probed;
  }

  #place(name: string, record: RelayRecord | undefined): number {
    const known = this.names.indexOf(name);
    if (known >= 0) return known;
    const opened = record && this.#open(record);
    if (opened !== undefined) this.opened.push(opened);
    return this.names.push(name) - 1;
  }

  #open(relay: RelayRecord): OpenRelay | undefined {
    return openRelay(relay, this.#sealer, this.#of.nowMs, this.#cache);
  }
}

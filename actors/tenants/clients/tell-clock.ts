// When the orgs of a partition have something to tell another partition: clients their usage,
// parents their clients. Derived: at start everything is due once. What nobody confirms is told
// again; what changed is told after a while, so that a busy client is one message each time.

import type { Entry, Message, Tell } from '../../../engine/actor/message.ts';
import { type Millis, type Ordinal, secondMs } from '../../../engine/base/brand.ts';
import { utcMonthOf, utcMonthStart } from '../../../engine/time/utc-month.ts';
import type { AreaClock, DueTurn } from '../../area-clock.ts';
import type { AccountsEntry } from '../accounts/protocol.ts';
import type { StoredSums } from '../usage/stored-by-org.ts';
import { remindedAtOnce, unconfirmed } from './decide.ts';
import type { ClientsMemory, ClientsOrgView } from './memory.ts';
import type { ClientsEntry } from './protocol.ts';
import { isReportDue } from './report.ts';

/** From a change to its report, and between the reports of a busy client. */
const reportDelayMs: Millis = 2 * secondMs;
const reportEveryMs: Millis = 20 * secondMs;
/** From a change to the message about it, and between slices of clients. */
const remindDelayMs: Millis = secondMs;
/** The next try of what was not confirmed. */
const againMs: Millis = 20 * secondMs;
/** At a start and at a new month, reports of a partition are spread over this time. */
const spreadMs: Millis = 20 * secondMs;
const tellsAtOnce = 50;

interface AppOfOrg {
  readonly record: { readonly org: Ordinal };
}

export class TellClock implements AreaClock<ClientsMemory, AppOfOrg> {
  readonly #dueOf = new Map<Ordinal, Millis>();
  /** Clients that report once even if their parent has confirmed: a restore may have undone it. */
  readonly #again = new Set<Ordinal>();
  /** When each client last reported. */
  readonly #reportedMs = new Map<Ordinal, Millis>();
  /** How far a parent is with its slices. */
  readonly #afterOf = new Map<Ordinal, string>();
  readonly #clients = new Set<Ordinal>();
  #nowMs: Millis = 0;
  #monthEndsMs: Millis = Number.POSITIVE_INFINITY;
  #nextMs: Millis = Number.POSITIVE_INFINITY;
  readonly #sums: StoredSums;

  constructor(sums: StoredSums) {
    this.#sums = sums;
  }

  /** When the clock needs a turn; `undefined` for never. */
  get nextMs(): Millis | undefined {
    return this.#nextMs === Number.POSITIVE_INFINITY ? undefined : this.#nextMs;
  }

  begin(state: ClientsMemory, nowMs: Millis): void {
    this.#nowMs = nowMs;
    for (const [owner, org] of state.orgs) {
      if (org.record.parentOrdinal !== undefined) {
        this.#clients.add(owner);
        this.#again.add(owner);
        this.#at(owner, nowMs + spreadOf(owner));
      } else if (org.clients.size > 0) this.#at(owner, nowMs);
    }
    this.#beginMonth(nowMs);
  }

  folded(entry: Entry, app: AppOfOrg | undefined): void {
    if (app !== undefined) {
      const { org } = app.record;
      if (this.#clients.size > 0 && this.#clients.has(org)) this.#report(org);
      return;
    }
    const one = entry as ClientsEntry | AccountsEntry;
    switch (one.kind) {
      case 'org.created':
        if (one.org.parentOrdinal === undefined) break;
        this.#clients.add(one.owner);
        this.#in(one.owner, remindDelayMs);
        this.#beginMonth(this.#nowMs);
        break;
      case 'org.changed':
      case 'report.confirmed':
        if (this.#clients.has(one.owner)) this.#report(one.owner);
        break;
      case 'app.deleted':
        // The last app of a deleted client: its report is the last one, too.
        for (const owner of this.#clients) this.#report(owner);
        break;
      case 'client.opened':
      case 'client.closed':
      case 'client.behind':
      case 'client.confirmed':
      case 'clients.changed':
        this.#in(one.owner, remindDelayMs);
        break;
    }
  }

  due(state: ClientsMemory, { nowMs }: DueTurn): Tell[] {
    this.#nowMs = nowMs;
    if (nowMs < this.#nextMs) return [];
    if (nowMs >= this.#monthEndsMs) {
      for (const owner of this.#clients) this.#at(owner, nowMs + spreadOf(owner));
      this.#beginMonth(nowMs);
    }
    const tells: Tell[] = [];
    for (const [owner, dueMs] of [...this.#dueOf]) {
      if (dueMs > nowMs || tells.length >= tellsAtOnce) continue;
      const org = state.orgs.get(owner);
      const tell = org && this.#tellOf(state, owner, org, nowMs);
      if (tell === undefined) this.#dueOf.delete(owner);
      else tells.push(tell);
    }
    this.#look();
    return tells;
  }

  #tellOf(
    state: ClientsMemory,
    owner: Ordinal,
    org: ClientsOrgView,
    nowMs: Millis,
  ): Tell | undefined {
    if (this.#clients.has(owner)) {
      // Others may have made room meanwhile.
      const isAsking = org.reported.isStorageFull === true;
      const again = this.#again.delete(owner) || isAsking;
      if (!again && !isReportDue(state, this.#sums, org, nowMs)) return undefined;
      this.#dueOf.set(owner, nowMs + againMs);
      this.#reportedMs.set(owner, nowMs);
      return tell(owner, { kind: 'report.make', ...(again ? { again } : {}) } as Message);
    }
    const after = this.#afterOf.get(owner) ?? '';
    const open = unconfirmed(org, after);
    if (open.length === 0 && after === '') return undefined;
    const last = open[remindedAtOnce - 1];
    if (last === undefined) this.#afterOf.delete(owner);
    else this.#afterOf.set(owner, last.id);
    this.#dueOf.set(owner, nowMs + (last === undefined ? againMs : remindDelayMs));
    return tell(owner, { kind: 'client.remind', after } as Message);
  }

  #report(owner: Ordinal): void {
    const last = this.#reportedMs.get(owner) ?? Number.NEGATIVE_INFINITY;
    this.#at(owner, Math.max(this.#nowMs + reportDelayMs, last + reportEveryMs));
  }

  #in(owner: Ordinal, delayMs: Millis): void {
    this.#at(owner, this.#nowMs + delayMs);
  }

  #at(owner: Ordinal, dueMs: Millis): void {
    if ((this.#dueOf.get(owner) ?? Number.POSITIVE_INFINITY) <= dueMs) return;
    this.#dueOf.set(owner, dueMs);
    this.#nextMs = Math.min(this.#nextMs, dueMs);
  }

  #beginMonth(nowMs: Millis): void {
    this.#monthEndsMs =
      this.#clients.size === 0 ? Number.POSITIVE_INFINITY : utcMonthStart(utcMonthOf(nowMs) + 1);
    this.#nextMs = Math.min(this.#nextMs, this.#monthEndsMs);
  }

  #look(): void {
    this.#nextMs = this.#monthEndsMs;
    for (const dueMs of this.#dueOf.values()) this.#nextMs = Math.min(this.#nextMs, dueMs);
  }
}

function tell(to: Ordinal, message: Message): Tell {
  return { to, message: { ...message, by: -1 } as Tell['message'] };
}

/** Different for neighbors, the same at every start. */
function spreadOf(owner: Ordinal): Millis {
  return ((owner >>> 12) * 997 + (owner & 4095) * 13) % spreadMs;
}

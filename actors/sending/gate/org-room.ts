// What an org may still send: sends of its UTC day, emails of its month. Counts what was delivered,
// is in flight and was granted in this turn, so neither limit is exceeded, whatever order outcomes
// arrive in. Source: specification, "Errors" and "Limits"; contract, sections 2 and 3.

import type { PumpContext } from '../../../engine/actor/machine.ts';
import { dayMs, type Millis, type Ordinal } from '../../../engine/base/brand.ts';
import { utcMonthOf } from '../../../engine/time/utc-month.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { isPaying } from '../../tenants/billing/reads.ts';
import type { GateOrgView, RoomMemory } from './reads.ts';
import { hold, type ScarceRoom, send, suppress, type Verdict } from './verdict.ts';

const emailIndex = channelIds.indexOf('email');

/** The room of one org for one turn: ask each rule, then take from it. */
export class OrgRoom {
  /** When the day ends. */
  readonly #untilMs: Millis;
  #sends: number;
  readonly #countEmails: () => number;
  #emails: number | undefined;

  private constructor(sends: number, untilMs: Millis, countEmails: () => number) {
    this.#sends = sends;
    this.#untilMs = untilMs;
    this.#countEmails = countEmails;
  }

  /** Counts the email allowance on first use. */
  static of(state: RoomMemory, org: Ordinal, nowMs: Millis): OrgRoom {
    const sends = sendsLeft(state.orgs.get(org), nowMs);
    return new OrgRoom(sends, dayEndsMs(nowMs), () => emailsLeft(state, org, nowMs));
  }

  static restore({ sends, sendsUntilMs, emails }: ScarceRoom): OrgRoom {
    const unlimited = Number.POSITIVE_INFINITY;
    return new OrgRoom(sends ?? unlimited, sendsUntilMs, () => emails ?? unlimited);
  }

  snapshot(): ScarceRoom {
    return {
      sends: finite(this.#sends),
      sendsUntilMs: this.#untilMs,
      emails: finite(this.#emailsLeft()),
    };
  }

  /** The rule `day`, for a message that lives until `endsMs`. */
  askDay(endsMs: Millis): Verdict {
    return this.#sends > 0 ? send : hold('daily_cap', this.#untilMs, endsMs);
  }

  takeDay(): void {
    this.#sends--;
  }

  /** The rule `allowance`, for a mail and its copies: all of them or none. */
  askEmail(emails = 1): Verdict {
    return this.#emailsLeft() >= emails ? send : suppress('email_cap');
  }

  takeEmail(count = 1): void {
    this.#emails = this.#emailsLeft() - count;
  }

  #emailsLeft(): number {
    this.#emails ??= this.#countEmails();
    return this.#emails;
  }
}

const ofTurns = new WeakMap<PumpContext, OrgRooms>();

export class OrgRooms {
  readonly #state: RoomMemory;
  readonly #nowMs: Millis;
  readonly #rooms = new Map<Ordinal, OrgRoom>();

  constructor(state: RoomMemory, nowMs: Millis) {
    this.#state = state;
    this.#nowMs = nowMs;
  }

  /** The same for all that this end of a turn lets begin. */
  static ofTurn(context: PumpContext, state: RoomMemory): OrgRooms {
    let rooms = ofTurns.get(context);
    if (rooms === undefined) {
      rooms = new OrgRooms(state, context.nowMs);
      ofTurns.set(context, rooms);
    }
    return rooms;
  }

  of(org: Ordinal): OrgRoom {
    let room = this.#rooms.get(org);
    if (room === undefined) {
      room = OrgRoom.of(this.#state, org, this.#nowMs);
      this.#rooms.set(org, room);
    }
    return room;
  }
}

export function sendsLeft(org: GateOrgView | undefined, nowMs: Millis): number {
  const cap = org?.record.dailySendCap ?? null;
  if (org === undefined || cap === null) return Number.POSITIVE_INFINITY;
  return Math.max(0, cap - (org.sendsDay === Math.floor(nowMs / dayMs) ? org.sendsToday : 0));
}

export function dayEndsMs(nowMs: Millis): Millis {
  return (Math.floor(nowMs / dayMs) + 1) * dayMs;
}

function emailsLeft(state: RoomMemory, org: Ordinal, nowMs: Millis): number {
  const kept = state.orgs.get(org);
  const allowance = kept?.record.emailAllowance ?? null;
  if (kept === undefined || allowance === null || isPaying(kept.billing))
    return Number.POSITIVE_INFINITY;
  const { delivered, reserved } = emailsCounted(state, kept, nowMs);
  return Math.max(0, allowance - delivered - reserved);
}

/** What counts against the allowance of this month. */
export function emailsCounted({ apps }: Pick<RoomMemory, 'apps'>, org: GateOrgView, nowMs: Millis) {
  let reserved = 0;
  for (const ordinal of org.apps) {
    const app = apps.get(ordinal);
    const { inFlight = 0, copiesInFlight = 0 } = app?.outbox.channels.get('email') ?? {};
    reserved += inFlight + copiesInFlight;
    reserved += app?.sending.rowsOn[emailIndex] ?? 0;
  }
  return { delivered: org.meter.emails(utcMonthOf(nowMs))?.delivered ?? 0, reserved };
}

function finite(room: number): number | null {
  return Number.isFinite(room) ? Math.max(0, room) : null;
}

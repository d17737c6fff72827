// What callbacks have reported of one send to one device, as a state that only grows: each fact
// counts once, in any order. Pure. An earlier `delivered` that arrives later never cancels a
// failure: carriers report both, and only the failure is final. Each kind of failure has its
// effect; the gravest gives the reason.

import type { Millis } from '../../../engine/base/brand.ts';
import type { DeliveryReport, ReportEffect } from '../../channels/port/delivery-report.ts';

/** For each kind of failure, the reason that sorts first: independent of order. */
export interface ReceiptState {
  readonly arrived: boolean;
  readonly read: boolean;
  readonly readMs?: Millis;
  readonly failed?: string;
  readonly optedOut?: string;
  readonly dead?: string;
  /** What the opt-out covers, if not everything. */
  readonly complained?: true | 'marketing';
  /** Its reader left marketing at the relay. */
  readonly unsubscribed?: true;
  /** A relay that reports has it. */
  readonly accepted?: true;
  /** The first that is known; of two at one instant the one that sorts first. */
  readonly deferred?: Deferral;
}

interface Deferral {
  readonly atMs: Millis;
  readonly detail?: string;
}

/** Before the first callback. */
export const nothingReported: ReceiptState = { arrived: false, read: false };

export const placeOf = {
  none: 'failed',
  opted_out: 'optedOut',
  dead: 'dead',
} as const satisfies Record<ReportEffect, keyof ReceiptState>;

/** Returns the same object if the report adds nothing. */
export function fold(state: ReceiptState, news: DeliveryReport): ReceiptState {
  switch (news.kind) {
    case 'taken':
      return news.reports && !state.accepted ? { ...state, accepted: true } : state;
    case 'deferred': {
      const { atMs, detail } = news;
      const deferred = earlier(state.deferred, detail === undefined ? { atMs } : { atMs, detail });
      return deferred === state.deferred ? state : { ...state, accepted: true, deferred };
    }
    case 'arrived':
      return state.arrived ? state : { ...state, arrived: true };
    case 'read': {
      const readMs = least(state.readMs, news.atMs);
      if (state.read && readMs === state.readMs) return state;
      const read: ReceiptState = { ...state, arrived: true, read: true };
      return readMs === undefined ? read : { ...read, readMs };
    }
    case 'complained':
      if (state.complained) return state;
      return { ...state, arrived: true, complained: news.scope ?? true };
    case 'unsubscribed':
      return state.unsubscribed ? state : { ...state, arrived: true, unsubscribed: true };
    case 'failed': {
      const place = placeOf[news.effect];
      const reason = least(state[place], news.reason);
      return reason === state[place] ? state : { ...state, [place]: reason };
    }
  }
}

/** The gravest reason; `undefined` without a failure. */
export function reasonIn({ dead, optedOut, failed }: ReceiptState): string | undefined {
  return dead ?? optedOut ?? failed;
}

function earlier(known: Deferral | undefined, told: Deferral): Deferral {
  if (known === undefined || told.atMs < known.atMs) return told;
  if (told.atMs > known.atMs) return known;
  return (told.detail ?? '') < (known.detail ?? '') ? told : known;
}

function least<Value extends string | number>(
  known: Value | undefined,
  reported: Value | undefined,
): Value | undefined {
  if (known === undefined || reported === undefined) return known ?? reported;
  return reported < known ? reported : known;
}

// What callbacks have said of one send to one device, as a state that only grows: each fact is
// taken once, whatever order they come in and however often. Pure. Easily got wrong: a failure is
// never taken back by an earlier `delivered` that comes after it, since carriers tell both of one
// message and only the failure is late; and of two failures each has its own effect, while the
// graver gives the reason.

import type { Millis } from '../../../engine/base/brand.ts';
import type { DeliveryReport, ReportEffect } from '../../channels/delivery-report.ts';

/**
 * Of each kind of failure the reason that sorts first, so that the order they came in does not
 * show.
 */
export interface ReceiptState {
  readonly arrived: boolean;
  readonly read: boolean;
  readonly readMs?: Millis;
  readonly failed?: string;
  readonly optedOut?: string;
  readonly dead?: string;
  readonly complained?: true;
}

/** Before the first callback. */
export const nothingTold: ReceiptState = { arrived: false, read: false };

/** Where the reason of a failure with this effect stands. */
export const placeOf = {
  none: 'failed',
  opted_out: 'optedOut',
  dead: 'dead',
} as const satisfies Record<ReportEffect, keyof ReceiptState>;

/** The state after one more callback; the same object where it says nothing new. */
export function fold(state: ReceiptState, news: DeliveryReport): ReceiptState {
  switch (news.kind) {
    case 'taken':
      return state;
    case 'arrived':
      return state.arrived ? state : { ...state, arrived: true };
    case 'read': {
      const readMs = least(state.readMs, news.atMs);
      if (state.read && readMs === state.readMs) return state;
      const read: ReceiptState = { ...state, arrived: true, read: true };
      return readMs === undefined ? read : { ...read, readMs };
    }
    case 'complained':
      return state.complained ? state : { ...state, arrived: true, complained: true };
    case 'failed': {
      const place = placeOf[news.effect];
      const reason = least(state[place], news.reason);
      return reason === state[place] ? state : { ...state, [place]: reason };
    }
  }
}

/** Why it did not arrive: the gravest of what was told; `undefined` as long as no failure was. */
export function reasonIn({ dead, optedOut, failed }: ReceiptState): string | undefined {
  return dead ?? optedOut ?? failed;
}

function least<Value extends string | number>(
  known: Value | undefined,
  told: Value | undefined,
): Value | undefined {
  if (known === undefined || told === undefined) return known ?? told;
  return told < known ? told : known;
}

// Clicks, and opens by machines, that a mail service reports, for an app that does not track its
// emails itself: each once an hour, like those that Engage sees.

import type { Context, Entry } from '../../../engine/actor/message.ts';
import { dayMs, hourMs } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { RelayEvent } from '../../channels/port/relay-events.ts';
import { engagement } from './engaged.ts';
import type { CallbacksMemory, CallbacksView } from './memory.ts';
import type { ReportedSends, ReportResult } from './reported-sends.ts';

/** The earliest that a service's own clock may date a click. */
const clickAgoMaxMs = 7 * dayMs;

export class RelayedClicks {
  readonly entries: Entry[] = [];
  readonly #state: CallbacksMemory;
  readonly #app: CallbacksView;
  readonly #sends: Pick<ReportedSends, 'personOf'>;
  readonly #relay: string;
  readonly #context: Context;
  /** Of this call, which memory does not show yet. */
  readonly #seen = new Set<string>();

  constructor(
    state: CallbacksMemory,
    app: CallbacksView,
    sends: Pick<ReportedSends, 'personOf'>,
    relay: string,
    context: Context,
  ) {
    this.#state = state;
    this.#app = app;
    this.#sends = sends;
    this.#relay = relay;
    this.#context = context;
  }

  apply(channel: ChannelId, event: RelayEvent): ReportResult {
    const { kind, sendId, deviceId, to: address, url = '', userAgent = '', byMachine } = event;
    if (this.#app.settings.emailTracking || (kind !== 'clicked' && kind !== 'opened'))
      return 'ignored';
    const person = this.#sends.personOf({ sendId, deviceId, channel, address });
    if (person === undefined) return 'ignored';
    const { nowMs } = this.#context;
    const atMs = Math.min(nowMs, Math.max(event.atMs, nowMs - clickAgoMaxMs));
    const mark = `${sendId}.${deviceId}.${url}`.slice(0, 400);
    const place = `${kind} ${mark} ${Math.floor(atMs / hourMs)}`;
    if (this.#seen.has(place)) return 'repeated';
    this.#seen.add(place);
    const tracked = {
      kind,
      person,
      sendId,
      deviceId,
      mark,
      ...(kind === 'clicked' ? { url } : {}),
      userAgent,
      atMs,
      relay: this.#relay,
      ...(byMachine === true ? { byMachine } : {}),
    } as const;
    const entries = engagement(this.#state, this.#app, tracked, this.#context);
    if (entries === undefined) return 'repeated';
    this.entries.push(...entries);
    return 'taken';
  }
}

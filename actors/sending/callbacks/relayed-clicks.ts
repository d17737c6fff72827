// Clicks that a mail service reports, for an app that does not track its emails itself: each once an
// hour, like those that Engage sees.

import type { Context, Entry } from '../../../engine/actor/message.ts';
import { dayMs, hourMs } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { RelayEvent } from '../../channels/relays/relay.ts';
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
  readonly #context: Context;
  /** Of this call, which memory does not show yet. */
  readonly #seen = new Set<string>();

  constructor(
    state: CallbacksMemory,
    app: CallbacksView,
    sends: Pick<ReportedSends, 'personOf'>,
    context: Context,
  ) {
    this.#state = state;
    this.#app = app;
    this.#sends = sends;
    this.#context = context;
  }

  apply(channel: ChannelId, event: RelayEvent): ReportResult {
    const { sendId, deviceId, to: address, url = '', userAgent = '' } = event;
    if (this.#app.settings.emailTracking) return 'ignored';
    const person = this.#sends.personOf({ sendId, deviceId, channel, address });
    if (person === undefined) return 'ignored';
    const { nowMs } = this.#context;
    const atMs = Math.min(nowMs, Math.max(event.atMs, nowMs - clickAgoMaxMs));
    const mark = `${sendId}.${deviceId}.${url}`.slice(0, 400);
    const place = `${mark} ${Math.floor(atMs / hourMs)}`;
    if (this.#seen.has(place)) return 'repeated';
    this.#seen.add(place);
    const tracked = {
      kind: 'clicked',
      person,
      sendId,
      deviceId,
      mark,
      url,
      userAgent,
      atMs,
    } as const;
    const entry = engagement(this.#state, this.#app, tracked, this.#context);
    if (entry === undefined) return 'repeated';
    this.entries.push(entry);
    return 'taken';
  }
}

// Each answer's `date` narrows what the server's time can be, whatever the browser's clock says.

import t from 'tap';
import { serverNowMs, tellServerTime } from '../../dashboard/api/server-clock.ts';

/** A server that writes `date` once a second, so that it may be almost two seconds old. */
function dateAt(serverMs: number, tickMs: number): string {
  const written = Math.floor((serverMs - tickMs) / 1_000) * 1_000 + tickMs;
  return new Date(Math.floor(written / 1_000) * 1_000).toUTCString();
}

t.test('it is right within a second at once, and stays so when clocks are set', async (t) => {
  const startMs = Date.UTC(2031, 4, 1, 12);
  const beganMs = performance.now();
  /** Between what was asked and answered; `performance.now()` runs on meanwhile. */
  const off = () => Math.abs(serverNowMs() - (startMs + performance.now() - beganMs));
  t.ok(off() > 1e9, 'before the first answer there is only the own clock');
  tellServerTime(null, beganMs, beganMs);
  tellServerTime('no date', beganMs, beganMs);
  t.ok(off() > 1e9, 'an answer without one says nothing');
  for (const [agoMs, tookMs, tickMs] of [
    [5_000, 30, 0],
    [4_100, 400, 250],
    [2_700, 10, 999],
    [900, 10, 500],
  ] as const) {
    const askedMs = beganMs - agoMs;
    const atMs = startMs - agoMs + tookMs / 2;
    tellServerTime(dateAt(atMs, tickMs), askedMs, askedMs + tookMs);
    t.ok(off() <= 1_250, `${off()} ms off`);
  }
  const real = Date.now;
  t.teardown(() => {
    Date.now = real;
  });
  Date.now = () => 0;
  t.ok(off() <= 1_250, 'the browser’s clock was set');
  const laterMs = startMs + 3_600_000;
  const now = performance.now();
  tellServerTime(new Date(laterMs).toUTCString(), now, now + 20);
  t.ok(Math.abs(serverNowMs() - laterMs) <= 2_100, 'the server’s clock was set');
});

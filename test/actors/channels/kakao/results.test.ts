// Solapi's list of results, read by the adapter from the stand-in: in pages, by time of change,
// with our ids.

import t from 'tap';
import { createKakao } from '../../../../actors/channels/kakao/adapter.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { Attempt } from '../../../../actors/channels/port/attempt.ts';
import type { LateResults } from '../../../../actors/channels/port/late-results.ts';
import { systemClock } from '../../../../engine/time/clock.ts';
import { withSandbox } from '../../../sandbox/with-sandbox.ts';

t.test('results are reported page by page, and pending messages are not', async (t) => {
  const { providerUrls } = await withSandbox(t);
  const outbound = createOutbound({ allowPrivateNetworks: true });
  t.teardown(() => outbound.close());
  const config = {
    mode: 'sandbox',
    urls: providerUrls,
    vapidSubject: '',
    publicUrl: '',
  } as const;
  const adapter = createKakao({ config, outbound, clock: systemClock });
  const sinceMs = Date.now() - 1_000;
  const numbers = [
    ...Array.from({ length: 600 }, (_, i) => `+82101234${String(i).padStart(4, '0')}`),
    '+15005550031',
    '+15005550032',
    '+15005550033',
  ];
  const send = (endpoint: string, i: number) =>
    adapter.send(
      {
        ...{ sendId: `ntf_${i}`, deviceId: `dev_${i}`, appId: 'app', appName: 'App' },
        ...{ channel: 'kakao', lane: 'bulk', attempt: 1, endpoint, registeredMs: 0 },
        content: { body: '', options: {}, payload: { kakao: { templateId: 'KA01TP1' } } },
        acceptedMs: Date.now(),
      } as Attempt,
      undefined,
    );
  for (const [i, number] of numbers.entries())
    t.match(await send(number, i), { outcome: 'accepted' });

  const untilMs = Date.now() + 1_000;
  const results = [];
  let pages = 0;
  for (let startKey: string | null = null; ; pages++) {
    const page: LateResults | undefined = await adapter.results?.(
      { sinceMs, untilMs, startKey },
      undefined,
    );
    if (page?.state !== 'read') throw new Error(JSON.stringify(page));
    results.push(...page.results);
    startKey = page.nextKey;
    if (startKey === null) break;
  }
  t.equal(pages, 1, 'a second page follows the first, and no third');
  t.equal(results.length, numbers.length - 1);
  t.match(results[0], {
    sendId: 'ntf_0',
    deviceId: 'dev_0',
    address: numbers[0],
    failed: undefined,
  });
  t.same(
    results.flatMap(({ address, failed }) => (failed ? [[address, failed]] : [])),
    [
      ['+15005550031', { reason: 'not_a_kakaotalk_user', effect: 'dead' }],
      ['+15005550032', { reason: 'inactive_or_blocked', effect: 'none' }],
    ],
  );
  const later = { sinceMs: untilMs, untilMs: untilMs + 1_000, startKey: null };
  t.same(await adapter.results?.(later, undefined), {
    state: 'read',
    results: [],
    nextKey: null,
  });
});

// Clicks on several links of one mail within a second are a scanner's, but for the first.

import t from 'tap';
import type { Tracked } from '../../../actors/channels/email/tracked.ts';
import { clickBursts } from '../../../http/track/click-bursts.ts';

const click = (url: string, sendId = 'ntf_1'): Tracked =>
  ({ kind: 'clicked', url, sendId, deviceId: 'dev_1', app: 1, person: 1, mark: 'm' }) as Tracked;

t.test(
  'another link of the same mail within a second is a burst, the same link is not',
  async (t) => {
    const clock = { nowMs: 5_000 };
    const isBurst = clickBursts(() => clock.nowMs);
    t.notOk(isBurst(click('https://a.test/1')));
    t.notOk(isBurst(click('https://a.test/1')), 'a double click');
    t.notOk(isBurst(click('https://a.test/2', 'ntf_2')), 'another mail');
    clock.nowMs += 400;
    t.ok(isBurst(click('https://a.test/2')));
    t.ok(isBurst(click('https://a.test/2')), 'it goes on');
    clock.nowMs += 1_000;
    t.notOk(isBurst(click('https://a.test/3')), 'a person, later');
    t.notOk(isBurst({ ...click(''), kind: 'opened' } as Tracked));
  },
);

t.test('a burst is known among ten thousand mails', async (t) => {
  const isBurst = clickBursts(() => 0);
  isBurst(click('https://a.test/1', 'first'));
  for (let i = 0; i < 10_000; i++) isBurst(click('https://a.test/1', `ntf_${i}`));
  t.notOk(isBurst(click('https://a.test/2', 'first')), 'forgotten');
  t.ok(isBurst(click('https://a.test/2', 'ntf_9999')));
});

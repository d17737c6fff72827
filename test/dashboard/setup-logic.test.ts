// What the set-up screens decide without a browser.

import fc from 'fast-check';
import t from 'tap';
import { hasNumberingPlan } from '../../actors/channels/addresses/country-code.ts';
import { catalog } from '../../actors/channels/catalog.ts';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { judge } from '../../dashboard/preview/contrast.ts';
import { differencesOf } from '../../dashboard/screens/audit/diff.ts';
import { targetPlace } from '../../dashboard/screens/audit/target-place.ts';
import { monthOf, monthWords } from '../../dashboard/screens/billing/money.ts';
import { forms } from '../../dashboard/screens/channels/forms/all.ts';
import { bodyOf } from '../../dashboard/screens/channels/forms/body.ts';
import { channelState } from '../../dashboard/screens/channels/state.ts';
import {
  type EventKind,
  groups,
  isChosen,
  type Selector,
  withKind,
  withStar,
} from '../../dashboard/screens/integrations/kinds.ts';
import { bodiesOf } from '../../dashboard/screens/settings/form.ts';
import { purposeOf, purposes } from '../../dashboard/screens/team/purposes.ts';
import { billedChannels } from '../../dashboard/words/channels.ts';
import { countries } from '../../dashboard/words/countries.ts';

const kinds = groups.flatMap((group) => group.kinds);
const stars = groups.flatMap(({ star }) => (star === undefined ? [] : [star]));
const anyChoice = fc.uniqueArray(fc.constantFrom<Selector>(...kinds, ...stars, '*'));

t.test('the countries to choose are those that the server takes', async (t) => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((one) => letters.map((two) => one + two));
  const offered = countries().map(({ value }) => value);
  t.same(offered.toSorted(), codes.filter(hasNumberingPlan));
  t.match(countries()[0], { value: 'AF', label: 'Afghanistan' });
});

t.test('ticking a kind changes that kind and no other', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(
        anyChoice,
        fc.constantFrom<EventKind>(...kinds),
        fc.boolean(),
        (some, kind, isOn) => {
          const after = withKind(some, kind, isOn);
          return kinds.every(
            (one) => isChosen(after, one) === (one === kind ? isOn : isChosen(some, one)),
          );
        },
      ),
    ),
  );
});

t.test('a star takes its group in or out, and leaves the others', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(anyChoice, fc.constantFrom(...stars), fc.boolean(), (some, star, isOn) => {
        const own = groups.find((group) => group.star === star)?.kinds ?? [];
        const after = withStar(some, star, isOn);
        return kinds.every(
          (one) => isChosen(after, one) === (own.includes(one) ? isOn : isChosen(some, one)),
        );
      }),
    ),
  );
});

t.test('a difference has the members that changed, by their paths', async (t) => {
  const before = { name: 'A', email: { from: 'a@x.example', replyTo: null }, caps: [1] };
  const after = { name: 'A', email: { from: 'b@x.example', replyTo: 'c@x.example' }, caps: [1, 2] };
  t.strictSame(differencesOf(before, after), [
    { path: 'email.from', before: 'a@x.example', after: 'b@x.example' },
    { path: 'caps', before: '[1]', after: '[1,2]' },
    { path: 'email.replyTo', before: undefined, after: 'c@x.example' },
  ]);
  t.strictSame(differencesOf(before, before), []);
  t.strictSame(differencesOf(undefined, undefined), []);
});

t.test('contrast is measured as WCAG measures it', async (t) => {
  t.equal(judge('#ffffff')?.on, '#000000');
  t.equal(judge('#000000')?.light, 21);
  t.ok(Math.abs((judge('#767676')?.light ?? 0) - 4.54) < 0.01, 'the grey of the textbooks');
  t.equal(judge('red'), undefined);
  t.doesNotThrow(
    () =>
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 0xffffff }), (n) => {
          const judged = judge(`#${n.toString(16).padStart(6, '0')}`);
          return judged !== undefined && judged.text >= 4.5;
        }),
      ),
    'black or white can be read on every color',
  );
});

t.test('a save sends what changed, and to the right route', async (t) => {
  t.strictSame(bodiesOf({ name: 'Shop' }), { app: { name: 'Shop' }, settings: undefined });
  t.strictSame(bodiesOf({ fromName: '', replyTo: 'a@x.example', secret: '' }), {
    app: undefined,
    settings: { email: { fromName: null, replyTo: 'a@x.example' } },
  });
  t.strictSame(bodiesOf({ secret: null }).settings, { secret: null });
});

t.test('a credential leaves out what is empty, and reads key files', async (t) => {
  t.strictSame(bodyOf(forms.line, { channelAccessToken: ' token ', channelSecret: '' }), {
    body: { channelAccessToken: 'token' },
  });
  const account = { type: 'service_account' };
  t.strictSame(bodyOf(forms.fcm, { file: JSON.stringify(account) }), { body: account });
  t.strictSame(bodyOf(forms.rcs, { serviceAccount: '{}', agentId: 'a' }), {
    body: { serviceAccount: {}, agentId: 'a' },
  });
  t.strictSame(bodyOf(forms.fcm, { file: 'no json' }), { badFile: 'file' });
});

t.test('a channel fails from a fifth of failed sends on', async (t) => {
  const known = {
    mode: 'live',
    credentials: ['carrier'],
    hasSender: false,
    standing: undefined,
  } as const;
  const counts = (delivered: number, failed: number) => ({ delivered, bounced: 0, failed });
  t.equal(channelState('sms', { ...known, counts: counts(8, 2) }), 'failing');
  t.equal(channelState('sms', { ...known, counts: counts(9, 2) }), 'ready');
  t.equal(channelState('line', { ...known, counts: undefined }), 'missing');
  t.equal(channelState('email', { ...known, counts: undefined }), 'missing');
  t.equal(channelState('webpush', { ...known, counts: undefined }), 'ready');
  t.equal(channelState('line', { ...known, mode: 'sandbox', counts: undefined }), 'sandbox');
  t.equal(
    channelState('line', { ...known, credentials: undefined, counts: undefined }),
    'unknown',
    'a role that may not see credentials',
  );
  const sms = (standing: 'ok' | 'paused' | 'refused' | 'unreachable' | 'degraded') =>
    channelState('sms', { ...known, counts: counts(8, 2), standing });
  t.same(
    [sms('ok'), sms('paused'), sms('degraded'), sms('refused'), sms('unreachable')],
    ['failing', 'failing', 'failing', 'refused', 'unreachable'],
    'what the provider says now comes before the last week',
  );
});

t.test('months are counted in UTC', async (t) => {
  const nowMs = Date.parse('2026-01-31T23:59:00Z');
  t.equal(monthOf(nowMs), '2026-01');
  t.equal(monthOf(nowMs, 1), '2025-12');
  t.equal(monthOf(nowMs, 13), '2024-12');
  t.equal(monthWords('2026-09'), 'September 2026');
});

t.test('each purpose of a key has scopes of its own', async (t) => {
  for (const { id, scopes } of purposes) t.equal(purposeOf(scopes.toReversed()), id);
  t.equal(purposeOf([]), undefined);
});

t.test('a change leads to the screen of what it was made to, while that is there', async (t) => {
  const apps = [{ id: 'app_a' }];
  const note = { target: 'x', targetExists: true, appId: 'app_a' };
  const sale = { ...note, action: 'campaign.paused', target: 'cmp_1' } as const;
  t.same(targetPlace(sale, apps), { parts: ['app_a', 'campaigns', 'cmp_1'] });
  t.equal(targetPlace({ ...sale, targetExists: false }, apps), undefined);
  t.equal(targetPlace({ ...sale, appId: 'app_gone' }, apps), undefined, 'of an app that is gone');
  const renamed = { ...note, action: 'template.renamed' } as const;
  t.same(targetPlace(renamed, apps), { parts: ['app_a', 'messages', 'templates', 'x'] });
  t.equal(targetPlace({ ...renamed, targetExists: null }, apps), undefined);
  const saved = { ...note, action: 'integration.saved', targetExists: null } as const;
  t.same(targetPlace(saved, apps), { parts: ['app_a', 'integrations'] });
  t.equal(targetPlace({ ...note, action: 'subscriber.erased' }, apps), undefined);
  const key = { ...note, action: 'key.created', appId: null } as const;
  t.same(targetPlace(key, apps), { parts: ['org', 'team'], tab: 'keys' });
});

t.test('a review names the channels whose providers bill for each message', async (t) => {
  const billed = channelIds.filter((id) => catalog[id].billsPerMessage === true);
  t.same([...billedChannels].sort(), [...billed].sort());
});

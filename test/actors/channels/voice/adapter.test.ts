// The voice adapter: the conformance suite against a scripted carrier, the form of a call, and the
// same adapter against the sandbox's own stand-in.

import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { CarrierAccount } from '../../../../actors/channels/carrier/account.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import { payloadOf } from '../../../../actors/channels/providers.ts';
import { createVoice } from '../../../../actors/channels/voice/adapter.ts';
import { voiceMessage } from '../../../../actors/channels/voice/message.ts';
import { spokenIn } from '../../../../sandbox/carrier/twiml.ts';
import { startSandbox } from '../../../../sandbox/sandbox.ts';
import { channelConformance } from '../../../conformance/channel.ts';
import {
  account,
  carrierAt,
  carrierSubject,
  configOf,
  formOf,
  number,
} from '../carrier-subject.ts';
import { acceptedMs, anAttempt, everyOption, fixedClock } from '../stand-ins.ts';

const sid = `CA${'1'.repeat(32)}`;
const callTo = (over: Parameters<typeof anAttempt>[0] = {}) =>
  anAttempt({ channel: 'voice', endpoint: number, ...over });

await channelConformance(
  t,
  carrierSubject(
    'voice',
    createVoice,
    { sid, status: 'queued' },
    {
      attempt: () => callTo(),
      tooLarge: () => callTo({ content: { body: 'x'.repeat(3_990) } }),
      tooLargeReason: 'text_too_long',
    },
  ),
);

const scripted = (t: Test, over?: Parameters<typeof configOf>[1]) =>
  carrierAt(t, createVoice, sid, over);

const head = '<?xml version="1.0" encoding="UTF-8"?>';
const callback =
  'https://engage.example.com/v1/webhooks/twilio/voice-status?app=app_00000000000000000000000001' +
  '&send=ntf_00000000000000000000000001&device=dev_00000000000000000000000001';

t.test('the request of a call, whole: nothing of it but title and text is said', async (t) => {
  const { carrier, adapter } = await scripted(t);
  const attempt = callTo({
    content: { ...everyOption, buttons: [{ label: 'View', url: 'https://shop.example.com' }] },
  });
  t.same(await adapter.send(attempt, account), { outcome: 'accepted', providerMessageId: sid });
  const [call] = carrier.calls;
  t.equal(call?.path, `/2010-04-01/Accounts/${account.accountSid}/Calls.json`);
  t.equal(call?.headers['content-type'], 'application/x-www-form-urlencoded');
  const said = '<Say>Your order</Say><Pause length="1"/><Say>It has shipped.</Say>';
  const own: [string, string][] = [
    ['To', number],
    ['Twiml', `${head}<Response>${said}</Response>`],
  ];
  t.same(formOf(call?.body), [
    ...own,
    ['From', '+14155550100'],
    ['StatusCallback', callback],
    ['StatusCallbackMethod', 'POST'],
    ['StatusCallbackEvent', 'ringing'],
    ['StatusCallbackEvent', 'completed'],
  ]);
  t.same(payloadOf(attempt, acceptedMs), { payload: Object.fromEntries(own) }, 'as previewed');
});

t.test('what is said', async (t) => {
  const cases: [what: string, title: string, body: string, said: string][] = [
    ['no title', '', 'Hello', '<Say>Hello</Say>'],
    ['a title of blanks', ' \n', 'Hello', '<Say>Hello</Say>'],
    [
      'markup',
      '',
      `</Say><Dial>&amp;"'`,
      '<Say>&lt;/Say&gt;&lt;Dial&gt;&amp;amp;&quot;&apos;</Say>',
    ],
    ['lines', '', 'a\r\nb\tc\u2028d', '<Say>a b c d</Say>'],
    ['control signs', '', 'a\u0000b\u001bc\u0085d\uffffe', '<Say>a b c d e</Say>'],
    ['half a sign', '', 'a\ud800b', '<Say>a b</Say>'],
    ['a sign of two halves', '', 'a😀b', '<Say>a😀b</Say>'],
  ];
  for (const [what, title, body, said] of cases) {
    const made = voiceMessage(callTo({ content: { title, body } }), number);
    t.same('form' in made && made.form[1], ['Twiml', `${head}<Response>${said}</Response>`], what);
  }
});

t.test('a call speaks the language of its text, in a voice of that language', async (t) => {
  const said = (over: Parameters<typeof callTo>[0]) => {
    const made = voiceMessage(callTo(over), number);
    return 'form' in made ? /<Say([^>]*)>/.exec(made.form[1]?.[1] ?? '')?.[1] : made;
  };
  const vietnamese = ' language="vi-VN" voice="Google.vi-VN-Standard-A"';
  const cases: [string, Parameters<typeof callTo>[0], string][] = [
    ['its localization’s', { language: 'th', content: { language: 'vi' } }, vietnamese],
    ['the person’s, if it has no localizations', { language: 'vi-vn' }, vietnamese],
    [
      'the default text of a localized message',
      { language: 'vi', content: { language: null } },
      '',
    ],
    ['nobody’s', {}, ''],
    ['one that the carrier lacks', { language: 'km' }, ''],
    [
      'its own',
      { language: 'th', content: { payload: { voice: { language: 'vi' } } } },
      vietnamese,
    ],
    [
      'its own voice',
      { content: { language: 'vi', payload: { voice: { voice: 'Google.vi-VN-Wavenet-A' } } } },
      ' language="vi-VN" voice="Google.vi-VN-Wavenet-A"',
    ],
    [
      'a language that is new',
      { content: { payload: { voice: { language: 'km-KH', voice: 'Google.km-KH-Standard-A' } } } },
      ' language="km-KH" voice="Google.km-KH-Standard-A"',
    ],
  ];
  for (const [what, over, attributes] of cases) t.equal(said(over), attributes, what);
  for (const voice of ['x', { language: '"><Dial>' }, { voice: 'a b' }, { language: 7 }])
    t.match(said({ content: { payload: { voice } } }), { reason: 'voice_invalid' });
});

t.test('whatever a message holds, what is said is the message', async () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (body) => {
      const made = voiceMessage(callTo({ content: { title: '', body } }), number);
      if (!('form' in made)) return false;
      const said = spokenIn(made.form[1]?.[1] ?? '');
      const letters = (text: string) => text.replace(/[\s\p{Cc}\ufffe\uffff\p{Cs}]+/gu, '');
      return said !== undefined && letters(said.join('')) === letters(body);
    }),
  );
});

t.test('the instructions may have 4,000 characters as they are sent', async (t) => {
  const { carrier, adapter } = await scripted(t);
  const rest = `${head}<Response><Say></Say></Response>`.length;
  for (const [length, outcome] of [
    [3_999, 'accepted'],
    [4_000, 'accepted'],
    [4_001, 'permanent'],
  ] as const) {
    carrier.calls.length = 0;
    // An ampersand takes five characters in XML.
    const body = `&${'x'.repeat(length - rest - 5)}`;
    const made = await adapter.send(callTo({ content: { title: '', body } }), account);
    t.equal(made.outcome, outcome, String(length));
    t.equal(carrier.calls.length, outcome === 'accepted' ? 1 : 0);
    if (outcome === 'permanent') {
      const detail = '4001 characters as TwiML, 4000 are allowed';
      t.same(made, { outcome, reason: 'text_too_long', detail });
    }
  }
});

t.test('a call comes from a number, and from its own where there is one', async (t) => {
  const { carrier, adapter } = await scripted(t);
  const { from: _from, ...bare } = account;
  const voiceFrom = '+14155550199';
  const cases: [CarrierAccount, string | undefined][] = [
    [account, '+14155550100'],
    [{ ...account, voiceFrom }, voiceFrom],
    [{ ...bare, voiceFrom }, voiceFrom],
    [{ ...bare, from: 'Shop' }, undefined],
    [{ ...bare, from: '12345' }, undefined],
    [{ ...bare, messagingServiceSid: `MG${'b'.repeat(32)}` }, undefined],
  ];
  for (const [credentials, from] of cases) {
    carrier.calls.length = 0;
    const outcome = await adapter.send(callTo(), credentials);
    if (from !== undefined) t.same(formOf(carrier.calls[0]?.body)[2], ['From', from]);
    else t.match(outcome, { outcome: 'config', reason: 'sender_missing' });
  }
});

t.test('the numbers of the test range, at the stand-in', async (t) => {
  const sandbox = await startSandbox({ port: 0 });
  const outbound = createOutbound({ allowPrivateNetworks: false, timeoutMs: 400 });
  t.teardown(async () => {
    await outbound.close(0);
    await sandbox.close();
  });
  const config = { ...configOf(sandbox.providerUrls['CARRIER']), mode: 'sandbox' as const };
  const adapter = createVoice({ config, outbound, clock: fixedClock(acceptedMs) });
  const expected: Record<string, object> = {
    '0000': { outcome: 'accepted', providerMessageId: /^CA[0-9a-f]{32}$/ },
    '0001': { outcome: 'dead', reason: 'invalid_number' },
    '0002': { outcome: 'permanent', reason: 'number_not_reachable' },
    '0003': { outcome: 'permanent', reason: 'region_not_permitted' },
    '0004': { outcome: 'permanent', reason: 'blocked_number' },
    '0005': { outcome: 'rate', retryAfterMs: 2000 },
    '0006': { outcome: 'retry', reason: 'unavailable' },
    '0007': { outcome: 'accepted' },
    '0008': { outcome: 'ambiguous', reason: 'connection_lost' },
    '0009': { outcome: 'accepted' },
    '0010': { outcome: 'config', reason: 'unauthenticated' },
    '0013': { outcome: 'accepted' },
    '0014': { outcome: 'accepted' },
    '0016': { outcome: 'ambiguous', reason: 'timeout' },
    '0018': { outcome: 'ambiguous', reason: 'connection_lost' },
  };
  for (const [digits, outcome] of Object.entries(expected)) {
    const attempt = callTo({ endpoint: `+1500555${digits}` });
    t.match(await adapter.send(attempt, undefined), outcome, digits);
  }
  t.match(await adapter.send(callTo(), account), { outcome: 'accepted' });
});

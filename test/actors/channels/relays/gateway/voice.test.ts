// Calls through a gateway: what its voice says, by the recipe of its documents, and what answers
// and reports mean.

import t from 'tap';
import type { Attempt } from '../../../../../actors/channels/port/attempt.ts';
import { attemptUuid } from '../../../../../actors/channels/port/attempt-uuid.ts';
import type { OpenRelay } from '../../../../../actors/channels/port/open-relay.ts';
import { readGatewayReports } from '../../../../../actors/channels/relays/gateway/events.ts';
import { http } from '../../../../../actors/channels/relays/gateway/kind.ts';
import { gatewayRecipes } from '../../../../../actors/channels/relays/gateway/recipes/recipes.ts';
import { createVoice } from '../../../../../actors/channels/voice/adapter.ts';
import { spokenText } from '../../../../../actors/channels/voice/spoken.ts';
import { hasSentence } from '../../../../../actors/insight/timeline/reason-sentences.ts';
import { withProvider } from '../../http-rig.ts';
import { acceptedMs, anAttempt, type HttpBehavior } from '../../stand-ins.ts';
import { aGateway, gatewayConfig, openRelay } from './gateways.ts';

const number = '+84901234567';
const call = (content: Partial<Attempt['content']> = {}, over: Partial<Attempt> = {}): Attempt => ({
  ...anAttempt({ channel: 'voice', endpoint: number, ...over }),
  content: { title: 'Parcel', body: 'It is on its way.', options: {}, ...content },
});
const credentials = { apiKey: 'the-key', reports: 'the-reports' };
const config = http.configSchema.parse({
  recipe: 'infobip-voice',
  from: '842873000000',
  credentials,
});
const infobip: OpenRelay = { id: 'rel_1', kind: 'http', config, fingerprint: 'v' };
const said = (body: object, status = 200): HttpBehavior => ({ status, body: JSON.stringify(body) });
const pending = said({ messages: [{ messageId: 'm-1', status: { name: 'PENDING_ACCEPTED' } }] });

t.test('a call leaves with its words, language and marks', async (t) => {
  const { adapter, provider } = await withProvider(t, createVoice, gatewayConfig, pending);
  const attempt = call({ language: 'vi-VN' });
  const { sendId, deviceId, appId } = attempt;
  t.match(await adapter.send(attempt, undefined, undefined, infobip), {
    ...{ outcome: 'accepted', providerMessageId: 'm-1' },
  });
  const [made] = provider.calls;
  t.equal(made?.path, '/api.infobip.com/tts/3/advanced');
  t.equal(made?.headers.authorization, 'App the-key');
  const { messages } = JSON.parse(String(made?.body));
  const { notifyUrl, ...message } = messages[0];
  t.strictSame(message, {
    from: '842873000000',
    destinations: [{ to: '84901234567', messageId: attemptUuid(sendId, deviceId) }],
    text: 'Parcel. It is on its way.',
    language: 'vi-vn',
    notifyContentType: 'application/json',
    callbackData: `${sendId}-${deviceId}`,
  });
  t.match(notifyUrl, `app=${appId}`);
});

t.test('bounds of texts are none of calls; a voice that cannot be is refused', async (t) => {
  const { adapter, provider } = await withProvider(
    t,
    createVoice,
    gatewayConfig,
    said({ message: { id: 1, status: 'queued' } }, 202),
  );
  const strict = openRelay({ ...aGateway, segmentsMax: 1, encoding: { only: 'gsm7' } });
  const send = (attempt: Attempt) => adapter.send(attempt, undefined, undefined, strict);
  t.match(await send(call({ body: 'đ'.repeat(300) })), { outcome: 'accepted' });
  t.match(await send(call({ body: 'a'.repeat(4_001) })), { reason: 'text_too_long' });
  t.match(await send(call({ payload: { voice: { language: 'x' } } })), { reason: 'voice_invalid' });
  t.equal(provider.calls.length, 1);
});

t.test('what is said, in which language', async (t) => {
  const of = (content: Partial<Attempt['content']>, language?: string) =>
    spokenText(call(content, language === undefined ? {} : { language }));
  t.strictSame(of({ title: 'Hi!' }), { text: 'Hi! It is on its way.' });
  t.strictSame(of({ title: '', body: ' a\n\tb\u0000 ' }), { text: 'a b' });
  t.match(of({}, 'th'), { language: 'th' }, "the person's");
  t.match(of({ language: 'vi' }, 'th'), { language: 'vi' }, "the text's own");
  t.notOk('language' in of({ language: null } as never, 'th'), 'a text in no language');
  const voice = { language: 'en-GB', voice: 'Joanna' };
  t.match(of({ payload: { voice }, language: 'vi' }), voice, "the message's wish");
});

t.test('a gateway that refuses, and one that is asked', async (t) => {
  const { adapter, provider } = await withProvider(t, createVoice, gatewayConfig, pending);
  for (const [answer, outcome, reason] of [
    [
      said({ requestError: { serviceException: { messageId: 'UNAUTHORIZED' } } }, 401),
      'config',
      'unauthenticated',
    ],
    [
      said({ messages: [{ status: { name: 'REJECTED_NOT_ENOUGH_CREDITS' } }] }),
      'config',
      'balance_used_up',
    ],
    ['hang', 'ambiguous', undefined],
  ] as const) {
    if (answer === 'hang') provider.meet('cut');
    else provider.meet(answer);
    const outcomes = { outcome, ...(reason === undefined ? {} : { reason }) };
    t.match(await adapter.send(call(), undefined, undefined, infobip), outcomes);
  }
  provider.meet(said({}));
  t.match(await adapter.check?.(undefined, infobip), { checked: true, ok: true });
  const { appId, sendId, deviceId } = call();
  const trial = { appId, sendId, deviceId, to: number, text: 'Hello', isSent: false };
  t.match(await adapter.tryOut?.(trial, infobip), {
    request: { headers: { authorization: 'App *apiKey*' }, body: /"text":"Hello"/ },
  });
  const query = { sinceMs: 0, untilMs: 0, startKey: null };
  t.match(await adapter.results?.(query, undefined), { failure: { reason: 'not_supported' } });
});

t.test('what its reports mean', async (t) => {
  const { appId, sendId, deviceId } = call();
  const told = async (groupName: string, name: string, token = 'the-reports') => {
    const result = { messageId: 'x', to: '84901234567', callbackData: `${sendId}-${deviceId}` };
    const body = { results: [{ ...result, status: { groupName }, error: { name } }] };
    return readGatewayReports(
      {
        body: Buffer.from(JSON.stringify(body)),
        headers: { 'content-type': 'application/json' },
        query: `app=${appId}&token=${token}`,
        nowMs: acceptedMs,
        fetchText: () => Promise.resolve(undefined),
      },
      config,
    );
  };
  for (const [group, error, news] of [
    ['DELIVERED', 'VOICE_ANSWERED', { kind: 'arrived' }],
    ['PENDING', 'NO_ERROR', { kind: 'taken' }],
    ['UNDELIVERABLE', 'EC_VOICE_USER_BUSY', { reason: 'busy_line', effect: 'none' }],
    ['UNDELIVERABLE', 'EC_VOICE_NO_ANSWER', { reason: 'no_answer', effect: 'none' }],
    ['UNDELIVERABLE', 'EC_UNKNOWN_ERROR', { reason: 'failed', effect: 'none' }],
    ['REJECTED', 'EC_SOMETHING', { reason: 'refused' }],
  ] as const)
    t.match(await told(group, error), { items: [{ item: { sendId, deviceId, news } }] }, error);
  t.match(await told('DELIVERED', 'VOICE_ANSWERED', 'other'), { state: 'refused' });
  for (const { reason = 'failed' } of gatewayRecipes['infobip-voice']?.config.callbacks?.reports
    ?.statuses ?? [])
    t.ok(hasSentence(reason), reason);
});

t.test('a recipe for calls is none for texts', async (t) => {
  t.match(http.channelProblem(config, 'sms'), { field: 'config.recipe', message: /voice/ });
  t.equal(http.channelProblem(config, 'voice'), undefined);
  t.match(http.channelProblem({ recipe: 'vonage' }, 'voice'), { message: /sms/ });
  t.equal(http.channelProblem(aGateway, 'voice'), undefined, 'a description of its own');
});

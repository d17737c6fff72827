// The carrier's stand-in for calls by a real client: what it takes, what it refuses, and the signed
// callbacks.

import t, { type Test } from 'tap';
import { spokenIn } from '../../sandbox/carrier/twiml.ts';
import { listenForCallbacks } from './carrier-listener.ts';
import { withSandbox } from './with-sandbox.ts';

const sid = `AC${'1'.repeat(32)}`;
const path = `/carrier/2010-04-01/Accounts/${sid}/Calls.json`;
const headers = {
  'content-type': 'application/x-www-form-urlencoded',
  authorization: `Basic ${Buffer.from(`${sid}:the-token`).toString('base64')}`,
};
const say = (inside: string) => `<Response>${inside}</Response>`;
const good = { To: '+14155550123', From: '+14155550100', Twiml: say('<Say>Hello</Say>') };
type Form = Record<string, string | readonly string[]>;

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  const encoded = (form: Form) =>
    new URLSearchParams(
      Object.entries(form).flatMap(([name, value]) =>
        [value].flat().map((one) => [name, one] as [string, string]),
      ),
    ).toString();
  return {
    ...sandbox,
    place: (form: Form) => sandbox.call('POST', path, encoded(form), headers),
    callbacks: (setting: object) => sandbox.call('POST', '/control/voice/callbacks', setting),
  };
}

t.test('a call is taken and recorded as its recipient hears it', async (test) => {
  const { place, messages, call } = await rig(test);
  const Twiml = say('<Say>Shipped</Say><Pause length="1"/><Say language="en-US">A &amp; B</Say>');
  const StatusCallback = 'http://127.0.0.1:1/v1/x?app=app_1&send=ntf_1&device=dev_1';
  const reply = await place({ ...good, Twiml, StatusCallback, Timeout: '600' });
  test.equal(reply.status, 201);
  test.match(reply.json, { sid: /^CA[0-9a-f]{32}$/, status: 'queued', to: good.To });
  const [message] = await messages();
  test.match(message, {
    channel: 'voice',
    look: 'call',
    to: good.To,
    sender: /14155550100/,
    text: 'Shipped\nA & B',
    sendId: 'ntf_1',
    deviceId: 'dev_1',
    outcome: 'accepted',
  });
  const detail = await call('GET', `/control/messages/${message.id}`);
  test.same(detail.json.said, ['Shipped', 'A & B']);
});

t.test('what the carrier refuses is refused in its own words', async (test) => {
  const { place } = await rig(test);
  const { From: _from, ...nobody } = good;
  const { Twiml: _twiml, ...silent } = good;
  const refused: [why: string, form: Form, code: number][] = [
    ['no recipient', { ...good, To: '' }, 21201],
    ['no number', { ...good, To: '12' }, 21217],
    ['nobody it is from', nobody, 21213],
    ['a name it is from', { ...good, From: 'Shop' }, 21212],
    ['nothing to say', silent, 21205],
    ['two things to say', { ...good, Url: 'https://a.example' }, 21205],
    ['too much to say', { ...good, Twiml: say(`<Say>${'x'.repeat(3970)}</Say>`) }, 20001],
    ['what is no XML', { ...good, Twiml: say('<Say>a & b</Say>') }, 12100],
    ['an event that is none', { ...good, StatusCallbackEvent: ['ringing', 'done'] }, 21626],
    ['a method that is none', { ...good, StatusCallbackMethod: 'PUT' }, 20001],
    ['ringing too long', { ...good, Timeout: '601' }, 20001],
    ['a callback to nowhere', { ...good, StatusCallback: 'x' }, 21609],
    ['a parameter nobody knows', { ...good, Body: 'x' }, 20001],
  ];
  for (const [why, form, code] of refused) {
    test.match(await place(form), { status: 400, json: { code } }, why);
  }
});

t.test('what is said is read as strictly as XML is', async (test) => {
  const read: [inside: string, said: string[] | undefined][] = [
    ['', []],
    ['<Say>a</Say>', ['a']],
    ['<Say voice="alice" language="en-US" loop="1">a</Say>', ['a']],
    ['<Say>&lt;b&gt; &amp;amp; &quot;&apos;</Say>', [`<b> &amp; "'`]],
    ['<Pause/><Say>a\nb</Say><Pause length="10"/>', ['a\nb']],
    ['<Say>a</Say>b', undefined],
    ['<Say>a<b/></Say>', undefined],
    ['<Say>a & b</Say>', undefined],
    ['<Say>&nbsp;</Say>', undefined],
    ['<Say>a', undefined],
    ['<Dial>+1</Dial>', undefined],
    ['<Say>\u0001</Say>', undefined],
  ];
  for (const [inside, said] of read) test.same(spokenIn(say(inside)), said, inside);
  test.equal(spokenIn('<Say>a</Say>'), undefined);
});

t.test('each number of the test range gets what it says', async (test) => {
  const { place, callbacks } = await rig(test);
  await callbacks({ on: false });
  for (const [digits, status, code] of [
    ['0001', 400, 21217],
    ['0002', 400, 21214],
    ['0003', 400, 21215],
    ['0004', 400, 21216],
    ['0005', 429, 20429],
    ['0006', 503, 20503],
    ['0010', 401, 20003],
  ] as const) {
    const reply = await place({ ...good, To: `+1500555${digits}` });
    test.match(reply, { status, json: { code } }, digits);
  }
  await test.rejects(place({ ...good, To: '+15005550008' }));
});

t.test('callbacks come for the events that were asked for, signed', async (test) => {
  const { place, callbacks } = await rig(test);
  await callbacks({ delayMs: 0 });
  const all = ['initiated', 'ringing', 'answered', 'completed'];
  const ours = ['ringing', 'completed'];
  const expected: [digits: string, events: string[] | undefined, statuses: string[]][] = [
    ['0000', undefined, ['completed']],
    ['0000', ours, ours],
    ['0000', all, ['initiated', 'ringing', 'in-progress', 'completed']],
    ['0007', ours, ['failed']],
    ['0009', ours, ['failed']],
    ['0011', ours, ['ringing', 'ringing', 'completed', 'completed']],
    ['0012', ours, ['completed', 'ringing']],
    ['0013', ours, ['busy']],
    ['0014', ours, ['ringing', 'no-answer']],
    ['0015', ours, ours],
  ];
  for (const [digits, events, statuses] of expected) {
    const listener = await listenForCallbacks(test);
    const reply = await place({
      ...good,
      To: `+1500555${digits}`,
      StatusCallback: `${listener.url}/v1/v?app=a&send=s&device=d`,
      ...(events && { StatusCallbackEvent: events }),
    });
    const came = await listener.came(statuses.length);
    test.same(
      came.map(({ form }) => form['CallStatus']),
      statuses,
      digits,
    );
    for (const one of came) {
      test.match(one.form, { CallSid: reply.json.sid, AccountSid: sid, From: good.From });
      test.equal(one.isSignedWith('the-token'), digits !== '0015', digits);
    }
    const last = came.at(-1)?.form;
    if (digits === '0007') test.match(last, { ErrorCode: '13224', SipResponseCode: '404' });
    if (digits === '0009') test.notOk('ErrorCode' in (last ?? {}));
    if (digits === '0000') test.match(last, { CallDuration: '7', Duration: '1' });
  }
});

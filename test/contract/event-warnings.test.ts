// Row 2.1 on `POST /e`: a member that nobody reads is named in the answer, or refused if the call
// asks for that, whichever way the body is read.

import t from 'tap';
import { chapter } from './chapter.ts';

const { api, base, app, server } = await chapter(t);

const send = async (body: object | string, line = 'POST /e', headers = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${server.url}${line.replace('POST ', '')}`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return {
    status: response.status,
    warnings: response.headers.get('x-engage-warnings'),
    json: (await response.json()) as Record<string, unknown>,
  };
};
const event = { name: 'order', externalUserId: 'ada' };

t.test('what is known stays as it was, without warnings', async (t) => {
  const { status, json, warnings } = await send({ appId: app, events: [event] });
  t.equal(status, 202);
  t.same(json, { accepted: 1, rejected: 0, errors: [] });
  t.equal(warnings, null);
});

t.test('the answer names each unknown member once, and the known one it resembles', async (t) => {
  const events = [
    { ...event, timestamp: '2026-11-26T00:00:00Z', properties: { total: 3 } },
    { ...event, timestamp: '2026-11-26T00:00:00Z', colour: 'red' },
  ];
  const told = [
    { field: 'app_id', warning: 'unknown; did you mean appId?' },
    { field: 'events[0].timestamp', warning: 'unknown; did you mean at?' },
    { field: 'events[0].properties', warning: 'unknown; did you mean props?' },
    { field: 'events[1].colour', warning: 'unknown; ignored' },
  ];
  const body = { appId: app, app_id: app, events };
  // An escape in a name takes the slow path, which must say the same.
  const escaped = JSON.stringify(body).replace('"order"', '"\\u006frder"');
  for (const one of [body, escaped]) {
    const { status, json, warnings } = await send(one);
    t.equal(status, 202);
    t.same(json, { accepted: 2, rejected: 0, errors: [], warnings: told });
    t.equal(warnings, '4');
  }
});

t.test('in strict mode nothing of the call is stored', async (t) => {
  const count = async () => (await api.must(`GET ${base}/events?name=strict`)).items.length;
  const body = {
    appId: app,
    events: [
      { ...event, name: 'strict' },
      { ...event, name: 'strict', time: 'now' },
    ],
  };
  const fault = { code: 'unknown_field', field: 'events[1].time' };
  for (const [line, headers] of [
    ['POST /e?strict=true', {}],
    ['POST /e', { 'x-engage-strict': 'true' }],
  ] as const) {
    const { status, json } = await send(body, line, headers);
    t.equal(status, 400);
    t.match(json, { ...fault, error: 'events[1].time: unknown; did you mean at?' });
  }
  t.match(await send(body, 'POST /e?strict=yes'), { status: 400, json: { field: 'strict' } });
  t.equal(await count(), 0);
  t.match(await send(body, 'POST /e?strict=false'), { status: 202, json: { accepted: 2 } });
  t.equal(await count(), 2);
});

t.test('an event that is refused names what was meant as before', async (t) => {
  const { json } = await send({ appId: app, events: [{ event: 'order', user_id: 'ada' }] });
  t.match(json, {
    rejected: 1,
    errors: [{ index: 0, error: /event: unknown; did you mean name\?/ }],
    warnings: [{ field: 'events[0].event' }, { field: 'events[0].user_id' }],
  });
});

t.test('a thousand kinds of members are no thousand warnings', async (t) => {
  const events = Array.from({ length: 1_000 }, (_, nth) => ({ ...event, [`own_${nth}`]: nth }));
  const { json } = await send({ appId: app, events });
  t.equal(json['accepted'], 1_000);
  t.equal((json['warnings'] as unknown[]).length, 50);
});

// What is the same from both HTTP servers. Every JSON answer is one line with its newline, whoever
// answers: two curls never run into one line. Lines of exports and callers' own bytes stay as they
// are. A stream ends with what it was opened by.

import t from 'tap';
import { openEvents } from '../support/event-stream.ts';
import { client, makeOrg } from '../support/server.ts';
import { browser, pageHeaders } from '../support/signed-in.ts';
import { chapterServer } from './chapter.ts';

// Both start before the first test: one that waited for a start would let the tests end.
const servers = [
  ['default', await chapterServer(t)],
  ['node', await chapterServer(t, { ENGAGE_HTTP: 'node' })],
] as const;

for (const [http, server] of servers) {
  t.test(`JSON answers end with a newline (${http})`, async (t) => {
    const org = await makeOrg(server, 'Acme');
    const app = await org.client.must('POST /v1/apps', { name: 'Shop' });
    const base = `/v1/apps/${app.id}`;
    const none = client(server.url);
    const metrics = client(server.metricsUrl);
    const events = [{ name: 'seen', externalUserId: 'ada' }];
    const segment = { 'content-type': 'application/json' };
    const answers = {
      'a read': await org.client.call('GET /v1/org'),
      'a list': await org.client.call(`GET ${base}/subscribers`),
      'a creation': await org.client.call(`POST ${base}/subscribers`, { externalUserId: 'ada' }),
      'an event': await none.call('POST /e', { appId: app.id, events }),
      'a refused event': await none.call('POST /e', { appId: app.id, events: [{ name: '' }] }),
      'a refused batch': await none.call('POST /e', { appId: 'app_none', events }),
      'a refused CDP call': await none.call('POST /i/cdp', {}, segment),
      'an invalid body': await org.client.call(`POST ${base}/subscribers`, '{'),
      'no key': await none.call('GET /v1/org'),
      'no route': await none.call('GET /v2/nothing'),
      'another method': await org.client.call('DELETE /v1/org'),
      'too long a body': await org.client.call(`POST ${base}/subscribers`, 'x'.repeat(1_048_577)),
      'the description': await none.call('GET /openapi.json'),
      health: await none.call('GET /healthz'),
      ready: await none.call('GET /readyz'),
      'the operators’ health': await metrics.call('GET /healthz'),
      'the operators’ readiness': await metrics.call('GET /readyz'),
      'nothing for operators': await metrics.call('GET /nothing'),
    };
    for (const [what, { headers, text }] of Object.entries(answers)) {
      t.match(String(headers['content-type']), /^application\/json/, what);
      t.match(text, /[^\n]\n$/, `${what} ends with one newline`);
      t.doesNotThrow(() => JSON.parse(text), what);
      const length = headers['content-length'];
      if (length !== undefined) t.equal(Number(length), Buffer.byteLength(text), `${what}: length`);
    }
    const lines = await org.client.call(`GET ${base}/subscribers/export?format=ndjson`);
    t.notMatch(lines.text, /\n\n/, 'an export has no empty line');
    const gone = await org.client.call(`DELETE ${base}/subscribers/external:ada`);
    if (gone.status === 204) t.equal(gone.text, '', 'no body is no newline');
  });

  t.test(`a stream of the ${http} server ends with its time, key or session`, async (t) => {
    const { client: api, key: first } = await makeOrg(server, 'Ends');
    const { id: app } = await api.must('POST /v1/apps', { name: 'Ends' });
    const url = `${server.url}/v1/apps/${app}/live?topics=limits`;
    const brief = await openEvents(`${url}&seconds=1`, { authorization: `Bearer ${first}` });
    t.equal((await brief.rest()).length, 1);
    const { id, key } = await api.must('POST /v1/keys', { name: 'Brief', scopes: ['read'] });
    const ofKey = await openEvents(url, { authorization: `Bearer ${key}` });
    await ofKey.next();
    await api.must(`DELETE /v1/keys/${id}`);
    await ofKey.rest();
    const page = browser(server.url);
    await page.signIn({ apiKey: first });
    const { 'sec-fetch-site': site } = pageHeaders;
    const ofPage = await openEvents(url, { cookie: page.cookie(), 'sec-fetch-site': site });
    t.equal(ofPage.status, 200, 'an EventSource sends no other header');
    await ofPage.next();
    await page.signOut();
    await ofPage.rest();
  });
}

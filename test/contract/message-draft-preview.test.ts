// A preview of content that is not saved: it is what the saved message's preview shows, one bad
// field leaves the others, and each problem has its place.

import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { chapter } from './chapter.ts';

const { api, base, server, takes, refuses } = await chapter(t);
const preview = `POST ${base}/messages/preview`;

await api.must(`POST ${base}/subscribers`, {
  externalUserId: 'ada',
  tags: { first_name: 'Ada', language: 'de' },
  devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
});
const content = {
  title: 'Hi {{ first_name }}',
  body: '<p>At {{ app.name }} {{ order | default: "none" }}</p>',
  localizations: { de: { body: '<p>Bei {{ app.name }}</p>' } },
};

t.test('what is typed is shown as what is saved would be', async (t) => {
  const { id } = await api.must(`POST ${base}/messages`, content);
  const asked = { externalUserId: 'ada', variables: { order: 'A-1' } };
  const saved = (await takes(t, `POST ${base}/messages/${id}/preview`, asked, 200)).json;
  const typed = (await takes(t, preview, { message: content, ...asked }, 200)).json;
  t.equal(typed.items.length, channelIds.length);
  const bare = (items: object[]) =>
    items.map((item) => ({ ...item, payload: undefined, mailPath: undefined }));
  t.same(bare(typed.items), bare(saved.items));
  t.same(typed.issues, []);
  t.same(typed.usesVariables, ['app.name', 'first_name', 'order']);
  t.same(saved.usesVariables, typed.usesVariables);
});

t.test('a made-up person has tags, a zone and a name of their own', async (t) => {
  const message = {
    title: 'Hi',
    body: '{{ first_name }} {{ subscriber.externalUserId }} {{ 0 | date: "%H" }}',
  };
  const person = { tags: { first_name: 'Eve' }, timezone: 'Asia/Tokyo', externalUserId: 'eve' };
  const { items } = (await takes(t, preview, { message, person, channels: ['fcm', 'sms'] }, 200))
    .json;
  t.same(
    items.map(({ channel, content }: { channel: string; content: { body: string } }) => [
      channel,
      content.body,
    ]),
    [
      ['fcm', 'Eve eve 09'],
      ['sms', 'Eve eve 09'],
    ],
  );
  await refuses(
    t,
    preview,
    { message, person, externalUserId: 'ada' },
    {
      status: 400,
      field: 'person',
    },
  );
  await refuses(
    t,
    preview,
    { message, person: { tags: { $a: 1 } } },
    {
      status: 400,
      field: 'person.tags.$a',
    },
  );
});

t.test('every problem is told with its place, and what is right is still shown', async (t) => {
  const message = {
    title: 'Hi {{ first_name | loud }}',
    body: 'One\n{{ a | nofilter }} and {% nope %}\n{{ b | other }}',
    deepLink: 'javascript:alert(1)',
    image: 'https://a.example/x.png',
    buttons: [{ label: 'Fine' }, { label: 'Bad', url: 'data:x' }],
    data: { good: 'x', bad: '{{ x' },
    localizations: { de: { title: 'Hallo', body: 'Hallo {% if x %}' }, 'no tag': { body: 'x' } },
  };
  const { json } = await takes(t, preview, { message, channel: 'fcm' }, 200);
  const issues = new Map(
    json.issues.map((one: { field: string; line?: number; column?: number; error: string }) => [
      `${one.field} ${one.line ?? ''}:${one.column ?? ''}`,
      one.error,
    ]),
  );
  t.equal(issues.get('title 1:4'), 'undefined filter: loud');
  t.equal(issues.get('body 2:1'), 'undefined filter: nofilter');
  t.equal(issues.get('body 2:24'), 'undefined tag: nope');
  t.equal(issues.get('body 3:1'), 'undefined filter: other');
  t.match(issues.get('deepLink :'), /links are not allowed/);
  t.match(issues.get('buttons[1].url :'), /links are not allowed/);
  t.match(issues.get('data.bad 1:1'), /not closed/);
  t.match(issues.get('localizations.de.body 1:7'), /not closed/);
  t.match(issues.get('localizations.no tag :'), /language tag/);
  t.equal(issues.size, 9, JSON.stringify([...issues]));
  t.match(json.items, [{ error: { field: 'body', error: /undefined filter: nofilter/ } }]);
  const { json: german } = await takes(
    t,
    preview,
    { message: { ...message, body: 'Right' }, channel: 'fcm', language: 'de' },
    200,
  );
  t.match(german.items[0].content, {
    title: 'Hallo',
    body: 'Right',
    image: 'https://a.example/x.png',
    buttons: [{ label: 'Fine' }],
    data: { good: 'x' },
  });
});

t.test('for a person, an unknown name is a warning in the words of the strict lane', async (t) => {
  const message = {
    title: 'Hi {{ first_name }} {{ surname }}',
    body: '{% if vip %}x{% endif %}{{ order_id }}\n\n {{ city | default: "x" }}{{ plan }}',
  };
  const { json } = await takes(t, preview, { message, externalUserId: 'ada', channel: 'fcm' }, 200);
  t.same(json.issues, [
    { level: 'warning', field: 'title', line: 1, column: 24, error: 'undefined variable: surname' },
    { level: 'warning', field: 'body', line: 1, column: 28, error: 'undefined variable: order_id' },
    { level: 'warning', field: 'body', line: 3, column: 30, error: 'undefined variable: plan' },
  ]);
  t.equal(json.items[0].content.title, 'Hi Ada');
  const nobody = await takes(t, preview, { message, channel: 'fcm' }, 200);
  t.same(nobody.json.issues, [], 'nobody is named: no name is unknown');
});

t.test('a question that is wrong is refused by the name of its member', async (t) => {
  for (const [body, field] of [
    [{}, 'message'],
    [{ message: { title: 7 } }, 'message.title'],
    [{ message: content, channels: ['pigeon'] }, 'channels[0]'],
    [{ message: content, variables: { a: null } }, 'variables.a'],
  ] as const)
    await refuses(t, preview, body, { status: 400, field });
  await refuses(
    t,
    preview,
    { message: content, externalUserId: 'ben' },
    {
      status: 404,
      field: 'externalUserId',
    },
  );
});

t.test('a mail has a page of its own for a frame, which runs nothing', async (t) => {
  const message = {
    title: 'Hi',
    body: '<p style="color:red">Hello</p><script>alert(1)</script>',
  };
  const { json } = await takes(t, preview, { message, channels: ['email', 'fcm'] }, 200);
  const [mail, push] = json.items;
  t.match(mail.mailPath, /^\/preview\/[\w-]{43}\.\d{1,4}$/);
  t.notOk('mailPath' in push);
  const page = await fetch(server.url + mail.mailPath);
  t.equal(page.status, 200);
  // All but the pixel, which leads nowhere here.
  const shown = await page.text();
  t.match(mail.payload.html, 'https://tracked.invalid/o/preview.gif');
  t.notMatch(shown, 'tracked.invalid/o/');
  t.equal(shown, mail.payload.html.replace(/<img src="https:\/\/tracked\.invalid[^>]*>/, ''));
  t.equal(
    page.headers.get('content-security-policy'),
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src 'self' https: data:; frame-ancestors 'self'",
  );
  t.equal(page.headers.get('cache-control'), 'no-store');
  t.equal(page.headers.get('x-content-type-options'), 'nosniff');
  t.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  t.equal((await fetch(`${server.url}/preview/${'A'.repeat(43)}`)).status, 404);
});

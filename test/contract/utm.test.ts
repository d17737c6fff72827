// Campaign parameters of links, through a whole server: what each lane sends, and what previews and
// the content of a send show of it.

import { simpleParser } from 'mailparser';
import t from 'tap';
import { client, eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, server } = await chapter(t);
const sandbox = client(server.sandboxUrl);

const make = async (what: string, body: object): Promise<string> =>
  (await api.must(`POST ${base}/${what}`, body)).id;
const person = (name: string, tags = {}) =>
  make('subscribers', {
    externalUserId: name,
    tags,
    devices: [
      { channel: 'email', endpoint: `${name}@example.com` },
      { channel: 'fcm', endpoint: `phone-${name}` },
    ],
  });
const sendOf = (subscriberId: string, filter: string): Promise<string> =>
  eventually(
    async () => {
      const query = `subscriberId=${subscriberId}&name=delivered&${filter}`;
      return (await api.must(`GET ${base}/events?${query}`)).items[0]?.sendId;
    },
    () => `nothing delivered to ${subscriberId}`,
  );

/** The requests of a send by channel: the HTML of its mail, and the body of its push. */
async function sentBy(sendId: string): Promise<{ readonly html: string; readonly push: string }> {
  const found = async (channel: string) => {
    const number = await eventually(
      async () => {
        const { messages } = await sandbox.must(`GET /control/messages?sendId=${sendId}`);
        return messages.find((one: { channel: string }) => one.channel === channel)?.id;
      },
      () => `no ${channel} of ${sendId}`,
    );
    return (await sandbox.must(`GET /control/messages/${number}`)).exchange.requestBody;
  };
  const mail = await simpleParser(await found('email'));
  const push = await found('fcm');
  return { html: String(mail.html), push: typeof push === 'string' ? push : JSON.stringify(push) };
}

const content = {
  title: 'Sale',
  body: '<p><a href="https://shop.example/?a=1&amp;b=2#x">Shop</a> <a href="{{ preferences_url }}">Choose</a></p>',
  deepLink: 'https://shop.example/deep',
};
const escaped = (text: string) => text.replaceAll('&', '&amp;');

await api.must(`PATCH ${base}/settings`, {
  emailTracking: false,
  utm: {
    source: 'engage',
    medium: '{{ channel }}',
    campaign: '{{ campaign | default: journey }}',
    content: '{{ variant }}{{ step }}',
  },
});

t.test('a receipt has them on request alone, per channel', async (t) => {
  await person('rae');
  const plain = await make('notifications', { externalUserId: 'rae', ...content });
  t.notMatch((await sentBy(plain)).html, /utm_/);
  const id = await make('notifications', { externalUserId: 'rae', ...content, utm: true });
  const { html, push } = await sentBy(id);
  const query = 'utm_source=engage&utm_medium=email';
  t.match(html, escaped(`https://shop.example/?a=1&b=2&${query}#x`));
  t.match(push, 'https://shop.example/deep?utm_source=engage&utm_medium=fcm');
  t.notMatch(html, /\/p\/[^"]*utm_/, 'the link to the preferences stays');
  const [shownMail] = (await api.must(`GET ${base}/notifications/${id}`)).content;
  t.match(shownMail.body, escaped(query), 'the story shows what was sent');
  const { results } = await api.must(`POST ${base}/notifications/batch`, {
    ...content,
    utm: true,
    recipients: [{ externalUserId: 'rae' }],
  });
  t.match((await sentBy(results[0].id)).push, 'utm_medium=fcm', 'so does a batch');
});

t.test('a campaign has them with its name and variant, unless the message says no', async (t) => {
  const mia = await person('mia', { group: 'utm' });
  const messageId = await make('messages', content);
  const name = 'Spring & more';
  const variants = [{ id: 'a', weight: 1, messageId }];
  const filter = { tag: 'group', eq: 'utm' };
  const others = [{ id: 'b', weight: 1, messageId: await make('messages', content) }];
  const both = { name, messageId, filter, variants: [...variants, ...others] };
  const id = await make('campaigns', { ...both, channels: ['email'] });
  const shown = await api.must(`POST ${base}/campaigns/${id}/preview`, { variant: 'b' });
  const query = (variant: string) =>
    `utm_source=engage&utm_medium=email&utm_campaign=Spring%20%26%20more&utm_content=${variant}`;
  t.match(shown.items[0].content.body, escaped(query('b')), 'the preview has them');
  t.match(shown.items[0].content.deepLink, query('b'));
  await api.must(`POST /v1/campaigns/${id}/send`, {});
  const sendId = await sendOf(mia, `campaignId=${id}`);
  const told = await api.must(`GET ${base}/notifications/${sendId}`);
  t.equal(told.contentState, 'may_differ', 'the setting may have changed');
  t.match(told.content[0].body, /utm_content=[ab]#x"/);
  const { messages } = await sandbox.must(`GET /control/messages?sendId=${sendId}`);
  const { exchange } = await sandbox.must(`GET /control/messages/${messages[0].id}`);
  const mail = await simpleParser(exchange.requestBody);
  t.match(String(mail.html), told.content[0].body, 'and was sent so');

  const bare = await make('messages', { ...content, utm: false });
  t.equal((await api.must(`GET ${base}/messages/${bare}`)).utm, false);
  const quiet = await make('campaigns', { name, messageId: bare, filter, channels: ['email'] });
  await api.must(`POST /v1/campaigns/${quiet}/send`, {});
  const silent = await api.must(
    `GET ${base}/notifications/${await sendOf(mia, `campaignId=${quiet}`)}`,
  );
  t.same([silent.contentState, /utm_/.test(silent.content[0].body)], ['as_sent', false]);
});

t.test('a journey has them with its name and step, and a test with the channel', async (t) => {
  const messageId = await make('messages', content);
  const journeyId = await make('journeys', {
    name: 'Welcome',
    triggerEvent: 'joined_utm',
    steps: [{ id: 'hello', type: 'send', messageId, channels: ['fcm', 'email'] }],
  });
  await api.must(`PATCH ${base}/journeys/${journeyId}`, { active: true });
  const joe = await person('joe');
  const { appId } = { appId: base.split('/').at(-1) };
  await api.must('POST /e', { appId, events: [{ name: 'joined_utm', subscriberId: joe }] });
  const { html, push } = await sentBy(await sendOf(joe, `journeyId=${journeyId}`));
  const query = (channel: string) =>
    `utm_source=engage&utm_medium=${channel}&utm_campaign=Welcome&utm_content=hello`;
  t.match(push, `https://shop.example/deep?${query('fcm')}`);
  t.match(html, escaped(query('email')));
  const test = await make(`messages/${messageId}/test`, { externalUserId: 'joe' });
  const tested = await sentBy(test);
  t.match(tested.push, 'utm_source=engage&utm_medium=fcm');
  t.match(tested.html, escaped('utm_source=engage&utm_medium=email'));
});

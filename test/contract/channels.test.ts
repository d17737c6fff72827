// The list of channels says whether each provider takes messages now.

import t from 'tap';
import { channelIds } from '../../actors/channels/channel-ids.ts';
import { eventually } from '../support/server.ts';
import { chapter } from './chapter.ts';

const { api, base, refuses } = await chapter(t);

interface State {
  readonly channel: string;
  readonly state: string;
  readonly until: string | null;
  readonly reason: string | null;
  readonly detail: string | null;
}

const states = async (): Promise<readonly State[]> =>
  (await api.must(`GET ${base}/channels`)).items;

t.test('all channels are listed, and are well until a provider says otherwise', async (t) => {
  const items = await states();
  t.equal(items.length, channelIds.length);
  t.ok(items.every((one) => one.state === 'ok' && one.until === null && one.reason === null));
  const unknown = `GET ${base.slice(0, -4)}zzzz/channels`;
  await refuses(t, unknown, undefined, { status: 404, code: 'not_found' });
});

t.test(
  'the list shows that a provider refuses the account, and when the next try is',
  async (t) => {
    await api.must(`POST ${base}/credentials/carrier`, {
      accountSid: `AC${'5a'.repeat(16)}`, // the stand-in refuses it
      authToken: 'e'.repeat(32),
      from: '+14155550123',
    });
    const devices = [{ channel: 'sms', endpoint: '+14155550144' }];
    await api.must(`POST ${base}/subscribers`, { externalUserId: 'sam', devices });
    const beforeMs = Date.now();
    const send = { externalUserId: 'sam', body: 'It is here.', channels: ['sms'] };
    const { id } = await api.must(`POST ${base}/notifications`, send);
    const sms = await eventually(
      async () => (await states()).find(({ state }) => state !== 'ok'),
      'no channel is out of order',
    );
    t.match(sms, { channel: 'sms', state: 'refused', reason: 'unauthenticated', detail: /\w/ });
    t.ok(Date.parse(sms.until ?? '') > beforeMs, `${sms.until} is later`);
    const others = (await states()).filter(({ channel }) => channel !== 'sms');
    t.ok(
      others.every(({ state }) => state === 'ok'),
      'voice has the same credential, and tries by itself',
    );
    t.equal((await api.must(`GET ${base}/notifications/${id}`)).status, 'pending', 'it waits');
  },
);

t.test('a new credential ends the wait at once', async (t) => {
  await api.must(`POST ${base}/credentials/carrier`, {
    accountSid: `AC${'0a'.repeat(16)}`,
    authToken: 'f'.repeat(32),
    from: '+14155550123',
  });
  const sms = (await states()).find(({ channel }) => channel === 'sms');
  t.equal(sms?.until, null, 'no send waits for an instant');
  await eventually(
    async () => ((await states()).every(({ state }) => state === 'ok') ? true : undefined),
    'sms stays refused',
  );
});

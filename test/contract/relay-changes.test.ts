// What a change of a relay keeps, replaces and takes back.

import t from 'tap';
import { chapter } from './chapter.ts';

const { api, base } = await chapter(t);

const made = await api.must(`POST ${base}/relays`, {
  ...{ name: 'SES', kind: 'ses' },
  config: {
    ...{
      region: 'us-east-1',
      accessKeyId: 'AKIASANDBOX000000000',
      secretAccessKey: 'sandbox-secret-access-key',
    },
    ...{ configurationSet: 'engage', topicArn: 'arn:aws:sns:us-east-1:000000000000:wrong' },
  },
});
const at = `${base}/relays/${made.id}`;

t.test('a field that is left out stays, and null takes one back', async (t) => {
  const changed = await api.must(`PATCH ${at}`, { config: { topicArn: null } });
  t.same(Object.keys(changed.config).sort(), ['accessKeyId', 'configurationSet', 'region']);
  t.not(changed.etag, made.etag);
});

t.test('null of a field that its kind needs is refused at the field', async (t) => {
  for (const field of ['region', 'secretAccessKey']) {
    const { status, json } = await api.call(`PATCH ${at}`, { config: { [field]: null } });
    t.match({ status, field: json.field }, { status: 400, field: `config.${field}` });
  }
  t.match(await api.must(`GET ${at}`), { config: { region: 'us-east-1' } });
});

t.test('a relay of the org changes alike', async (t) => {
  const config = { host: 'smtp.example.com', port: 2525, user: 'shop', password: 'p' };
  const { id } = await api.must('POST /v1/org/relays', { name: 'Office', kind: 'smtp', config });
  const changed = await api.must(`PATCH /v1/org/relays/${id}`, {
    config: { user: null, password: null, port: null },
  });
  t.same(changed.config, { host: 'smtp.example.com', port: 587 });
});

// Which partition a request is for, by its head alone.

import t from 'tap';
import { slotOfOrg } from '../../../actors/tenants/accounts/org-slot.ts';
import { newId } from '../../../engine/base/id.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { makeKey, makeSession } from '../../../http/call/admission/authenticate.ts';
import { partitionOfRequest } from '../../../http/peers/whose.ts';
import { MailPreviews } from '../../../http/process/mail-previews.ts';
import type { HttpRequest } from '../../../http/server/exchange.ts';

const partitions = 24;
const publicUrl = 'https://engage.example.com';
const slot = 4_093;
const own = slot % partitions;
const rng = seededRng(1);
const app = newId('app', 4_096 + slot, 1, rng);
const other = newId('app', 4_096 + 5, 1, rng);
const { text: key } = makeKey(slot);
const { text: session } = makeSession(slot);
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

function whose(target: string, sent: Readonly<Record<string, string>> = {}, method = 'GET') {
  const [path = '', query = ''] = target.split('?');
  const request = { method, path, query, header: (name: string) => sent[name] ?? '' };
  return partitionOfRequest(request as HttpRequest, { partitions, publicUrl });
}

t.test('of the key or session that it shows', async (t) => {
  t.equal(whose('/v1/apps', { authorization: `Bearer ${key}` }), own);
  t.equal(whose('/e', { authorization: `Bearer ${key}` }, 'POST'), own);
  t.equal(whose('/mcp', { authorization: `bearer ${key}` }, 'POST'), own);
  t.equal(whose('/compat/onesignal/notifications', { authorization: `Key ${key}` }), own);
  t.equal(whose('/compat/customerio/v1/x', { authorization: basic(`site:${key}`) }), own);
  t.equal(whose('/v1/session', { cookie: `a=b; __Host-engage=${session}` }), own);
  const both = { authorization: `Bearer ${key}` };
  t.equal(whose(`/v1/apps/${other}`, both), own, 'whoever asks pays there, whatever they name');
});

t.test('of an id that it names', async (t) => {
  t.equal(whose(`/v1/apps/${app}/callbacks/twilio`), own);
  t.equal(whose(`/v1/sdk/feed?appId=${app}`), own);
  t.equal(whose(`/i/cdp/${app}/v1/batch`, {}, 'POST'), own);
  t.equal(whose(`/f/${newId('frm', 4_096 + slot, 1, rng)}`), own);
  const segment = { authorization: basic(`${app}.write-key:`) };
  t.equal(whose('/compat/segment/v1/track', segment, 'POST'), own);
  const org = newId('org', 0, 1, rng);
  t.equal(whose(`/v1/orgs/${org}`), slotOfOrg(org) % partitions);
});

t.test('of the server that made the preview of a mail', async (t) => {
  const token = new MailPreviews().keep(4_096 + slot, 'html', 1, rng);
  t.equal(whose(`/preview/${token}`), own);
});

t.test('of nobody: served where it arrives', async (t) => {
  for (const anywhere of [
    '/',
    '/healthz',
    '/docs',
    '/dashboard/app.js',
    '/v1/orgs',
    '/u/token',
    '/v1/sdk/feed',
    `/other/${app}`,
    `/v1/apps/${app}x`,
    '/v1/apps/app_8zzzzzzzzzzzzzzzzzzzzzzzzz',
  ])
    t.equal(whose(anywhere), undefined, anywhere);
  t.equal(whose('/v1/orgs', { authorization: 'Bearer token' }, 'POST'), undefined);
  t.equal(whose(`/v1/sdk/app/${app}`, {}, 'OPTIONS'), undefined);
  t.equal(whose('/dashboard/', { cookie: `__Host-engage=${session}` }), undefined);
});

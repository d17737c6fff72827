// A campaign to many people through the cluster of local.sh: makes an org, imports the people,
// sends, and counts at the sandbox's providers what arrived, and what arrived twice.
// Run: `node deploy/cluster/campaign.mjs --people=100000`

import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '100000' },
    folder: { type: 'string', default: 'cluster' },
  },
});
const people = Number(values.people);
const fronts = [8401, 8402, 8403].map((port) => `http://127.0.0.1:${port}`);
const providers = 'http://127.0.0.1:8502';
const token = readFileSync(join(values.folder, 'bootstrap-token'), 'utf8').trim();
const rowsPerCall = 500;
const giveUpMs = 120_000;

/** Asks one front after the other, as a balancer would, until one does it. */
async function call(method, path, key, body, headers = {}) {
  const endMs = Date.now() + giveUpMs;
  let last = 'nobody answers';
  for (let tries = 0; Date.now() < endMs; tries++) {
    try {
      const answer = await fetch(fronts[tries % fronts.length] + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      });
      if (answer.ok) return await answer.json();
      last = `${answer.status} ${await answer.text()}`;
    } catch (error) {
      last = String(error.cause?.code ?? error.name);
    }
    if (tries % fronts.length === fronts.length - 1) await pause(200);
  }
  throw new Error(`${method} ${path}: ${last}`);
}

function serviceAccount() {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const email = 'sender@trial-project.iam.example.com';
  return {
    type: 'service_account',
    project_id: 'trial-project',
    client_email: email,
    private_key: privateKey,
  };
}

const { org, apiKey } = await call('POST', '/v1/orgs', token, { name: 'Trial' });
await call('PATCH', `/v1/orgs/${org.id}`, token, { dailySendCap: null });
const key = apiKey.key;
const app = await call('POST', '/v1/apps', key, { name: 'Trial' });
const base = `/v1/apps/${app.id}`;
await call('POST', `${base}/credentials/fcm`, key, serviceAccount());
for (let from = 0; from < people; from += rowsPerCall) {
  const rows = Array.from({ length: Math.min(rowsPerCall, people - from) }, (_, at) => ({
    externalUserId: `p${from + at}`,
    devices: [{ channel: 'fcm', endpoint: `token-of-p${from + at}` }],
  }));
  await call('POST', '/v1/import/subscribers', key, { appId: app.id, rows });
  if ((from / rowsPerCall) % 20 === 0) console.log(`${from + rows.length} people imported`);
}
const text = { name: 'Trial', title: 'Hello', body: 'From a cluster' };
const message = await call('POST', `${base}/messages`, key, text);
const campaign = await call('POST', `${base}/campaigns`, key, {
  ...{ name: 'All', messageId: message.id, channels: ['fcm'] },
});
const sandboxStats = async () => (await (await fetch(`${providers}/control/stats`)).json()).sends;
const before = await sandboxStats();
await call('POST', `${base}/campaigns/${campaign.id}/send`, key, undefined, {
  'idempotency-key': 'send',
});
console.log('The campaign is being sent. Kill a server now: local.sh kill engage1');

const startedMs = Date.now();
for (;;) {
  const atMs = Date.now();
  const { sent } = await call('GET', `${base}/campaigns/${campaign.id}/stats`, key);
  const stats = await sandboxStats();
  const arrived = stats.pairs - before.pairs;
  const twice = stats.acceptedAgain - before.acceptedAgain;
  const seconds = Math.round((Date.now() - startedMs) / 1_000);
  console.log(`${seconds} s: ${arrived} people have it, ${twice} twice; the cluster says ${sent}`);
  if (sent >= people && arrived >= people) break;
  await pause(Math.max(0, 1_000 - (Date.now() - atMs)));
}

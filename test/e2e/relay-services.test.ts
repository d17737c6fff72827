// Mail services from an account to a counted bounce, through a whole server: a relay of an app, the
// service's stand-in, and its signed events at the webhook of the relay.

import t, { type Test } from 'tap';
import { client, eventually, makeOrg, sharedServer } from '../support/server.ts';

const server = await sharedServer(t);
const sandbox = client(server.sandboxUrl);

const services = {
  ses: {
    region: 'us-east-1',
    accessKeyId: 'AKIASANDBOX000000000',
    secretAccessKey: 'sandbox-secret-access-key',
  },
  sendgrid: { apiKey: 'SG.sandbox-key-of-the-test' },
  mailgun: { apiKey: 'sandbox-api-key-of-the-test', domain: 'mail.example.com' },
} as const;

/** What each person's one receipt says in the end. */
const ends = {
  person: { status: 'delivered' },
  nouser: { status: 'bounced' },
  latefull: { status: 'bounced' },
  latedelay: { status: 'delivered' },
  policy: { status: 'bounced' },
} as const;
type Person = keyof typeof ends;
const people = Object.keys(ends) as Person[];

for (const kind of Object.keys(services) as (keyof typeof services)[])
  t.test(`${kind}: what became of mails is told by its events`, (t) => walk(t, kind));

async function walk(t: Test, kind: keyof typeof services): Promise<void> {
  const { client: api } = await makeOrg(server, `Relays ${kind}`);
  const app = await api.must('POST /v1/apps', { name: kind });
  const base = `/v1/apps/${app.id}`;
  await api.must(`PATCH ${base}/settings`, { email: { fromAddress: 'shop@example.com' } });
  const told = (await sandbox.must(`GET /control/${kind}/webhook`)).config;
  const config = { ...services[kind], ...told };
  const relay = await api.must(`POST ${base}/relays`, { name: kind, kind, config });
  t.notOk(JSON.stringify(relay).includes('sandbox-secret'), 'no secret comes back');
  const url = `${server.url}/v1/webhooks/relay/${relay.id}`;
  await sandbox.must(`POST /control/${kind}/callbacks`, { delayMs: 0 });
  t.match(await sandbox.must(`POST /control/${kind}/webhook`, { url }), { confirmed: true });

  const send = async (person: Person) => {
    const { id } = await api.must(`POST ${base}/notifications`, {
      externalUserId: person,
      title: 'Hi',
      body: 'Hello',
    });
    return id as string;
  };
  const ended = async (id: string, status: string) => {
    let last = '';
    return eventually(
      async () => {
        const seen = await api.must(`GET ${base}/notifications/${id}`);
        last = JSON.stringify([seen.status, seen.outcomes, seen.failures]);
        return seen.outcomes.at(-1)?.status === status ? seen : undefined;
      },
      () => `${kind}: ${id} is not ${status}: ${last}`,
      8_000,
    );
  };
  const ids = new Map<Person, string>();
  for (const person of people) {
    const { id } = await api.must(`POST ${base}/subscribers`, {
      externalUserId: person,
      devices: [{ channel: 'email', endpoint: `${person}@${kind}.example.net` }],
    });
    ids.set(person, id);
  }
  // The first event tells that this relay reports.
  await ended(await send('person'), 'delivered');
  await eventually(async () => {
    const { told: counts } = await sandbox.must(`GET /control/${kind}/webhook`);
    return counts.delivered > 0 ? true : undefined;
  }, 'nothing was told');
  for (const person of people) {
    const id = await send(person);
    const seen = await ended(id, ends[person].status);
    t.match(seen.outcomes.at(-1), ends[person], `${kind}: ${person}`);
  }
  const gone = await api.must(`GET ${base}/subscribers/${ids.get('nouser')}`);
  t.equal(gone.devices[0].enabled, false, 'nobody writes again to an address that is not there');
  const full = await api.must(`GET ${base}/subscribers/${ids.get('latefull')}`);
  t.equal(full.devices[0].enabled, true, 'a full mailbox may have room again');

  const shown = await sandbox.must(`GET /control/messages?channel=${kind}&to=nouser`);
  t.match(shown.messages[0], { title: 'Hi', look: 'email', to: `nouser@${kind}.example.net` });
  const forged = await client(server.url).call(`POST /v1/webhooks/relay/${relay.id}`, '{}');
  t.equal(forged.status, 403);
}

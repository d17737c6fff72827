import t from 'tap';
import { catalog } from '../../../../actors/channels/catalog.ts';
import { providerUrlNames } from '../../../../actors/channels/channel-ids.ts';
import type { OutboundCall } from '../../../../actors/channels/outbound/outbound-call.ts';
import { type RelayKindName, relayKindNames } from '../../../../actors/channels/port/open-relay.ts';
import { relayKinds } from '../../../../actors/channels/relays/kinds.ts';
import { serviceFetch } from '../../../../actors/channels/relays/proof-fetch.ts';

const kindOf = (name: RelayKindName) => relayKinds[name];

t.test('each address that an operator may set is of a channel or of a kind of relay', async (t) => {
  const ofChannels = Object.values(catalog).flatMap(({ urls = {} }) => Object.keys(urls));
  const ofKinds = relayKindNames.flatMap((name) => Object.keys(kindOf(name)?.urls ?? {}));
  t.same([...new Set([...ofChannels, ...ofKinds])].sort(), [...providerUrlNames].sort());
});

t.test('every secret is a member of its configuration', async (t) => {
  for (const name of relayKindNames) {
    const kind = kindOf(name);
    if (kind === undefined) continue;
    // A schema that changes what it reads has the form of its result within.
    type Form = { readonly shape: Readonly<Record<string, unknown>> };
    const schema = kind.configSchema as unknown as Form & { readonly out?: Form };
    const { shape } = schema.out ?? schema;
    for (const secret of kind.secrets) t.ok(secret in shape, `${name}: ${secret}`);
    t.notOk(kind.configSchema.safeParse({}).success, `${name}: nothing is no configuration`);
  }
});

t.test("only the operator's address takes the place of Amazon's", async (t) => {
  const calls: Pick<OutboundCall, 'url' | 'destination'>[] = [];
  const outbound = {
    allowPrivateNetworks: false,
    call: async ({ url, destination }: OutboundCall) => {
      calls.push({ url, destination });
      return { kind: 'answered', status: 200, headers: {}, body: 'pem', complete: true } as const;
    },
    close: () => Promise.resolve(),
  };
  const amazon = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-1.pem';
  t.equal(await serviceFetch(outbound, {})(amazon), 'pem');
  await serviceFetch(outbound, { SES: 'http://127.0.0.1:9/ses' })(amazon);
  await serviceFetch(outbound, { SES: 'http://127.0.0.1:9/ses' })('https://evil.example/x.pem');
  t.same(calls, [
    { url: amazon, destination: 'guarded' },
    {
      url: 'http://127.0.0.1:9/ses/sns/eu-west-1/SimpleNotificationService-1.pem',
      destination: 'trusted',
    },
    { url: 'https://evil.example/x.pem', destination: 'guarded' },
  ]);
});

t.test('an answer that is cut or refused is no text', async (t) => {
  const base = { headers: {}, body: 'x' };
  for (const result of [
    { kind: 'answered', status: 404, complete: true, ...base },
    { kind: 'answered', status: 200, complete: false, ...base },
    { kind: 'unanswered', reason: 'timeout' },
  ] as const) {
    const outbound = {
      allowPrivateNetworks: false,
      call: () => Promise.resolve(result),
      close: () => Promise.resolve(),
    };
    t.equal(
      await serviceFetch(outbound, {})('https://sns.eu-west-1.amazonaws.com/a.pem'),
      undefined,
    );
  }
});

// The settings: all that is wrong in one go, each named, and no secret in a sentence.

import t from 'tap';
import { ConfigError, readConfig } from '../../../http/process/config.ts';

const member = {
  ENGAGE_CLUSTER: 'main',
  ENGAGE_CLUSTER_NODE: 'one',
  ENGAGE_CLUSTER_LISTEN: '[::1]:8410',
  ENGAGE_CLUSTER_ADDRESS: 'one.internal:8410',
  ENGAGE_CLUSTER_NATS: '10.0.0.1:4222, 10.0.0.2:4222',
  ENGAGE_CLUSTER_NATS_MONITORS: 'http://10.0.0.1:8222',
  ENGAGE_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  ENGAGE_BOOTSTRAP_TOKEN: 'a token that is long',
  ENGAGE_PUBLIC_URL: 'https://engage.example',
};

function problems(environment: Readonly<Record<string, string>>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

t.test('every wrong setting is named, in one go', async (t) => {
  t.same(
    problems({
      ENGAGE_MODE: 'test',
      ENGAGE_PORT: 'x',
      ENGAGE_TLS_KEY: '/k',
      ENGAGE_PROT: '1',
      ENGAGE_FCM_URL: 'nowhere',
    }),
    [
      'ENGAGE_MODE is "test": expected one of sandbox, live.',
      'ENGAGE_PORT is "x": expected a number.',
      'ENGAGE_PROT is not an Engage setting; `engage config` lists all settings.',
      'ENGAGE_TLS_CERT, ENGAGE_TLS_KEY must be set together; ENGAGE_TLS_CERT is not set.',
      'ENGAGE_FCM_URL is "nowhere": expected an http or https URL.',
    ],
  );
});

t.test('a secret is never shown', async (t) => {
  const [sentence = ''] = problems({ ENGAGE_BOOTSTRAP_TOKEN: 'hunter2' });
  t.match(sentence, /^ENGAGE_BOOTSTRAP_TOKEN is set to a value: /);
  t.notMatch(sentence, /hunter2/);
});

t.test('an empty setting is one that is not set, also of those that go together', async (t) => {
  t.same(problems({ ENGAGE_PORT: '', ENGAGE_TLS_CERT: '', ENGAGE_TLS_KEY: '' }), []);
  t.equal(readConfig({ ENGAGE_PORT: '' }).port, 8400);
});

t.test('what belongs to a caller’s shell is no setting and no mistake', async (t) => {
  t.same(problems({ ENGAGE_APP: 'app_1', ENGAGE_KEY: 'ek_1', HOME: '/' }), []);
});

t.test('a port for bounces needs a domain, which the sandbox has by itself', async (t) => {
  t.same(problems({ ENGAGE_MODE: 'live', ENGAGE_BOUNCE_SMTP_PORT: '2525' }), [
    'ENGAGE_BOUNCE_SMTP_PORT needs ENGAGE_BOUNCE_DOMAIN, the domain to accept mail for.',
  ]);
  t.same(problems({ ENGAGE_MODE: 'live', ENGAGE_BOUNCE_SMTP_PORT: '0' }), []);
  t.same(problems({ ENGAGE_BOUNCE_SMTP_PORT: '2525' }), []);
  for (const wrong of ['example', 'a b.example', '-.example.com', 'x@example.com', '1.2.3.4'])
    t.match(problems({ ENGAGE_BOUNCE_DOMAIN: wrong }), [/expected a domain name/], wrong);
  t.match(readConfig({}), { bounceDomain: 'bounces.sandbox.example', bouncePort: undefined });
  t.match(readConfig({ ENGAGE_MODE: 'live' }), { bounceDomain: undefined, bouncePort: undefined });
  t.match(readConfig({ ENGAGE_MODE: 'live', ENGAGE_BOUNCE_DOMAIN: 'B.Example.COM' }), {
    bounceDomain: 'b.example.com',
  });
});

t.test('who confirms the clock is read by name', async (t) => {
  t.same(readConfig({}).clockSources, ['kernel', 'providers']);
  t.same(readConfig({ ENGAGE_CLOCK_SOURCES: 'providers' }).clockSources, ['providers']);
  t.same(readConfig({ ENGAGE_CLOCK_SOURCES: 'none' }).clockSources, []);
  for (const wrong of ['ntp', 'kernel,none', 'kernel, providers'])
    t.match(problems({ ENGAGE_CLOCK_SOURCES: wrong }), [/^ENGAGE_CLOCK_SOURCES /], wrong);
});

t.test('a new org has a storage quota in live mode, unless told otherwise', async (t) => {
  const quotaOf = (environment: Record<string, string>) => readConfig(environment).newOrgQuotaBytes;
  t.equal(quotaOf({}), undefined, 'none in the sandbox');
  t.equal(quotaOf({ ENGAGE_MODE: 'live' }), 5 * 1024 ** 3);
  t.equal(quotaOf({ ENGAGE_MODE: 'live', ENGAGE_STORAGE_QUOTA_GIB: 'none' }), undefined);
  t.equal(quotaOf({ ENGAGE_STORAGE_QUOTA_GIB: '2' }), 2 * 1024 ** 3);
  for (const wrong of ['0', '-1', '5GiB', '1.5', 'off'])
    t.match(problems({ ENGAGE_STORAGE_QUOTA_GIB: wrong }), [
      /^ENGAGE_STORAGE_QUOTA_GIB is .*expected 1 to 999999, or none/,
    ]);
});

t.test('sender domains and resolvers are read one by one, and refused by name', async (t) => {
  t.match(readConfig({}), { emailDomains: [], dnsServers: undefined });
  t.match(readConfig({}), { platformDomain: 'sandbox.example' });
  t.match(readConfig({ ENGAGE_MODE: 'live' }), { platformDomain: undefined });
  t.same(readConfig({ ENGAGE_EMAIL_DOMAINS: 'Acme.Example, bücher.example' }).emailDomains, [
    'acme.example',
    'xn--bcher-kva.example',
  ]);
  t.same(readConfig({ ENGAGE_EMAIL_DOMAINS: '*' }).emailDomains, ['*']);
  for (const wrong of ['acme', 'x@acme.example', 'a.example,,b.example', '*.acme.example'])
    t.match(
      problems({ ENGAGE_EMAIL_DOMAINS: wrong }),
      [/^ENGAGE_EMAIL_DOMAINS is .*expected a domain name/],
      wrong,
    );
  const servers = ['192.0.2.1', '192.0.2.1:5353', '2001:db8::1', '[2001:db8::1]:53'];
  t.same(readConfig({ ENGAGE_DNS_SERVERS: servers.join(', ') }).dnsServers, servers);
  for (const wrong of ['dns.example', '192.0.2.1:0', '192.0.2.1:70000', '[192.0.2.1]:53', 'x:53'])
    t.match(problems({ ENGAGE_DNS_SERVERS: wrong }), [/expected an IP address/], wrong);
});

t.test('a server of a cluster names all that it lacks', async (t) => {
  t.same(problems({ ENGAGE_CLUSTER_NODE: 'one' }), [
    'ENGAGE_CLUSTER_NODE is not used without ENGAGE_CLUSTER.',
  ]);
  t.same(problems({ ENGAGE_CLUSTER: 'main', ENGAGE_CLUSTER_NODE: 'one' }), [
    'ENGAGE_CLUSTER needs ENGAGE_MASTER_KEY, with the same value on each server.',
    'ENGAGE_CLUSTER needs ENGAGE_BOOTSTRAP_TOKEN, with the same value on each server.',
    'ENGAGE_CLUSTER needs ENGAGE_PUBLIC_URL, with the same value on each server.',
    'ENGAGE_CLUSTER needs ENGAGE_CLUSTER_LISTEN.',
    'ENGAGE_CLUSTER needs ENGAGE_CLUSTER_NATS.',
    'ENGAGE_CLUSTER needs ENGAGE_CLUSTER_NATS_MONITORS.',
  ]);
  t.same(problems({ ...member, ENGAGE_CLUSTER_NATS: '10.0.0.1', ENGAGE_CLUSTER_NODE: 'A B' }), [
    'ENGAGE_CLUSTER_NODE is "A B": expected up to 40 small letters, digits and hyphens.',
    'ENGAGE_CLUSTER_NATS is "10.0.0.1": expected hosts and ports, such as 10.0.0.1:4222,10.0.0.2:4222.',
  ]);
});

t.test('a server of a cluster has what its threads need, one alone has nothing', async (t) => {
  const config = readConfig(member);
  t.equal(config.partitions, 24);
  t.same(config.cluster, {
    name: 'main',
    node: 'one',
    zone: 'one',
    listen: { host: '::1', port: 8410 },
    address: 'one.internal:8410',
    copies: 2,
    logBytesMax: 1_073_741_824,
    servers: ['10.0.0.1:4222', '10.0.0.2:4222'],
    password: undefined,
    monitors: ['http://10.0.0.1:8222'],
    allowsUnsafe: false,
  });
  const alone = readConfig({});
  t.equal(alone.cluster, undefined);
  t.equal(alone.partitions, 8);
});

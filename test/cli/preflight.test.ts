// What is looked at before a start: each problem in one sentence that names its setting, all of
// them in one go, and nothing started before.

import { generateKeyPairSync } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { checkStart } from '../../cli/preflight.ts';
import { ConfigError, readConfig } from '../../http/process/config.ts';
import { lockDataDirectory } from '../../storage/lock.ts';
import { certificate } from '../actors/channels/certificate.ts';
import { temporaryDirectory } from '../storage/support/directory.ts';
import { freePorts } from '../support/server.ts';

const directory = temporaryDirectory();

function file(name: string, text: string | Buffer): string {
  writeFileSync(join(directory, name), text);
  return join(directory, name);
}

/**
 * The sentences for these settings beside good ports and a good directory; none when all is well.
 */
async function problems(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const [port, metrics, sandbox] = await freePorts(3);
  const config = readConfig({
    ENGAGE_PORT: String(port),
    ENGAGE_METRICS_PORT: String(metrics),
    ENGAGE_SANDBOX_PORT: String(sandbox),
    ENGAGE_DATA_DIR: join(directory, 'data'),
    ...settings,
  });
  try {
    await checkStart(config);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

async function listener(t: Test): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

const dkim = { ENGAGE_SMTP_DKIM_DOMAIN: 'example.com', ENGAGE_SMTP_DKIM_SELECTOR: 's1' };
const text = file('text.pem', 'hello\n');
const ecKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const ec = file('ec.pem', ecKey.export({ type: 'pkcs8', format: 'pem' }));
const edKey = generateKeyPairSync('ed25519').privateKey;
const ed = file('ed.pem', edKey.export({ type: 'pkcs8', format: 'pem' }));
const cert = file('cert.pem', certificate.cert);
const certKey = file('key.pem', certificate.key);

t.test('good settings are no problem, and leave the ports and the directory free', async (t) => {
  const tls = { ENGAGE_TLS_CERT: cert, ENGAGE_TLS_KEY: certKey };
  const settings = { ...tls, ...dkim, ENGAGE_SMTP_DKIM_KEY_FILE: ed, ENGAGE_HTTP: 'node' };
  t.same(await problems(settings), []);
  t.same(await problems(settings), []);
});

t.test('a file that is no good is named with what was expected of it', async (t) => {
  const settings = { ENGAGE_TLS_CERT: '/nope', ENGAGE_TLS_KEY: directory };
  t.same(await problems({ ...settings, ...dkim, ENGAGE_SMTP_DKIM_KEY_FILE: ec }), [
    'ENGAGE_TLS_CERT is "/nope": expected a file with a PEM certificate chain, but the file does not exist.',
    `ENGAGE_TLS_KEY is "${directory}": expected a file with a PEM private key without a passphrase, but it is a directory.`,
    `ENGAGE_SMTP_DKIM_KEY_FILE is "${ec}": expected a file with a PEM private key (RSA or Ed25519) without a passphrase, but it contains none.`,
  ]);
  t.same(await problems({ ENGAGE_TLS_CERT: text, ENGAGE_TLS_KEY: text }), [
    `ENGAGE_TLS_CERT is "${text}": expected a file with a PEM certificate chain, but it contains none.`,
    `ENGAGE_TLS_KEY is "${text}": expected a file with a PEM private key without a passphrase, but it contains none.`,
  ]);
  t.same(await problems({ ENGAGE_TLS_CERT: cert, ENGAGE_TLS_KEY: ec }), [
    `ENGAGE_TLS_KEY is "${ec}": expected a file with the private key of the certificate in ${cert}, but it contains a different one.`,
  ]);
});

t.test('live mode needs a contact for web push that is not on this machine', async (t) => {
  const live = { ENGAGE_MODE: 'live' };
  const [nothingSet = '', ...more] = await problems(live);
  t.match(nothingSet, /^ENGAGE_VAPID_SUBJECT is "https:\/\/127\.0\.0\.1": .*ENGAGE_PUBLIC_URL/);
  t.same(more, []);
  const local = { ...live, ENGAGE_PUBLIC_URL: 'https://engage.example.com' };
  t.same(await problems(local), []);
  const [named = ''] = await problems({ ...local, ENGAGE_VAPID_SUBJECT: 'mailto:a@localhost' });
  t.match(named, /^ENGAGE_VAPID_SUBJECT is "mailto:a@localhost": /);
  for (const contact of ['mailto:a@x.invalid', 'https://192.168.1.10', 'mailto:a@mac.local']) {
    const [told = '', ...rest] = await problems({ ...local, ENGAGE_VAPID_SUBJECT: contact });
    t.ok(told.startsWith(`ENGAGE_VAPID_SUBJECT is "${contact}": Apple's web push refuses`), told);
    t.same(rest, []);
  }
  t.same(await problems({ ...live, ENGAGE_VAPID_SUBJECT: 'mailto:ops@example.com' }), []);
  t.same(await problems({}), [], 'the stand-ins accept any');
});

t.test('a directory that cannot be one is told', async (t) => {
  for (const setting of ['ENGAGE_DATA_DIR', 'ENGAGE_ERASURES_DIR']) {
    t.same(await problems({ [setting]: text }), [
      `${setting} is "${text}": expected a directory, but it is a file.`,
    ]);
    const [below = ''] = await problems({ [setting]: join(text, 'data') });
    t.match(below, `expected a directory, but ${text} is a file.`);
  }
});

t.test(
  'where a file system refuses every new name, the check ends instead of trying for ever',
  { skip: process.platform !== 'linux' },
  async (t) => {
    t.same(await problems({ ENGAGE_DATA_DIR: '/proc/x/data' }), [
      'ENGAGE_DATA_DIR is "/proc/x/data": expected a directory, but /proc cannot hold a new one (ENOENT).',
    ]);
  },
);

t.test('a wrong master key and a taken port are told together, and nothing is made', async (t) => {
  const taken = await listener(t);
  const dataDir = join(directory, 'untouched');
  const settings = { ENGAGE_DATA_DIR: dataDir, ENGAGE_SANDBOX_PORT: String(taken) };
  t.same(await problems({ ...settings, ENGAGE_MASTER_KEY: 'short' }), [
    'ENGAGE_MASTER_KEY: key 1 is not 32 bytes of base64 (make one with openssl rand -base64 32).',
    `ENGAGE_SANDBOX_PORT is ${taken}: another program listens on that port of 127.0.0.1; stop it, or set another port.`,
  ]);
  t.notOk(existsSync(join(dataDir, 'partitions')));
  t.same(
    await problems({
      ...settings,
      ENGAGE_MODE: 'live',
      ENGAGE_VAPID_SUBJECT: 'mailto:a@example.com',
    }),
    [],
    'the port is not used there',
  );
});

t.test('two settings with one port, and a host that is not here, are told as that', async (t) => {
  const [port] = await freePorts(1);
  t.same(await problems({ ENGAGE_PORT: String(port), ENGAGE_SANDBOX_PORT: String(port) }), [
    `ENGAGE_SANDBOX_PORT is ${port}: ENGAGE_PORT already uses that port; set another.`,
  ]);
  t.same(await problems({ ENGAGE_HOST: '192.0.2.1', ENGAGE_INGEST_PORT: '0' }), [
    'ENGAGE_HOST is "192.0.2.1": expected an address of this machine.',
  ]);
});

t.test('a directory in use says it all: its ports are that server’s', async (t) => {
  const dataDir = join(directory, 'busy');
  const lock = await lockDataDirectory(dataDir);
  t.teardown(() => lock.release());
  const port = String(await listener(t));
  const sentences = await problems({ ENGAGE_DATA_DIR: dataDir, ENGAGE_PORT: port });
  t.equal(sentences.length, 1);
  t.match(sentences[0], /is in use by process \d+ on .*: one process at a time may open it\.$/);
});

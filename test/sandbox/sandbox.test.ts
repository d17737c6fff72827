// Starting and ending: loopback unless told otherwise, a taken port is an error, and close hangs up
// on everybody.

import { fork } from 'node:child_process';
import t from 'tap';
import { isFromHere, isLoopback } from '../../sandbox/same-machine.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { moduleAt } from '../support/places.ts';

/** Forked with what this process was started with: tsx where it runs from sources. */
const program = moduleAt('sandbox/main.ts');

t.test('the addresses are those that the product is configured with', async (test) => {
  const sandbox = await startSandbox({ port: 0 });
  test.teardown(() => sandbox.close());
  test.match(sandbox.url, /^http:\/\/127\.0\.0\.1:\d+$/);
  test.match(sandbox.smtpUrl, /^smtp:\/\/127\.0\.0\.1:\d+$/);
  const { APNS: apnsUrl, ...urls } = sandbox.providerUrls;
  test.match(apnsUrl, /^http:\/\/127\.0\.0\.1:\d+$/);
  test.same(urls, {
    FCM: `${sandbox.url}/fcm`,
    SES: `${sandbox.url}/ses`,
    SENDGRID: `${sandbox.url}/sendgrid`,
    MAILGUN: `${sandbox.url}/mailgun`,
    WHATSAPP: `${sandbox.url}/whatsapp`,
    TELEGRAM: `${sandbox.url}/telegram`,
    RCS: `${sandbox.url}/rcs`,
    LINE: `${sandbox.url}/line`,
    VIBER: `${sandbox.url}/viber`,
    KAKAO: `${sandbox.url}/kakao`,
    GOOGLE_TOKEN: `${sandbox.url}/google/token`,
    CARRIER: `${sandbox.url}/carrier`,
    GATEWAY: `${sandbox.url}/gateway`,
    ZALO: `${sandbox.url}/zalo`,
    SMTP_TOKEN: `${sandbox.url}/mail-token/token`,
    STRIPE: `${sandbox.url}/stripe`,
    ZALO_TOKEN: `${sandbox.url}/zalo-oauth/v4/oa/access_token`,
  });
  test.equal(sandbox.webPushUrl, `${sandbox.url}/webpush`);
});

t.test('an address that others reach is refused unless exposed on purpose', async (test) => {
  await test.rejects(startSandbox({ host: '0.0.0.0', port: 0 }), /loopback only/);
  const exposed = await startSandbox({ host: '0.0.0.0', port: 0, exposed: true });
  await exposed.close();
});

t.test('a taken port is an error, and nothing is left listening', async (test) => {
  const first = await startSandbox({ port: 0 });
  test.teardown(() => first.close());
  await test.rejects(startSandbox({ port: Number(new URL(first.url).port) }), {
    code: 'EADDRINUSE',
  });
  const taken = { port: 0, smtpPort: Number(new URL(first.smtpUrl).port) };
  await test.rejects(startSandbox(taken), { code: 'EADDRINUSE' });
});

t.test('close ends calls that hang and streams that listen', async (test) => {
  const sandbox = await startSandbox({ port: 0 });
  const hanging = fetch(`${sandbox.url}/fcm/v1/projects/p/messages:send`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandbox' },
    body: JSON.stringify({ message: { token: 'hang' } }),
  });
  const refused = test.rejects(hanging);
  const stream = await fetch(`${sandbox.url}/control/events`);
  await sandbox.close();
  await refused;
  await test.rejects(stream.text());
});

t.test('forked, it tells its parent where it is and ends with it', async (test) => {
  const child = fork(program, {
    env: { ...process.env, ENGAGE_SANDBOX_PORT: '0' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ready = await new Promise<unknown>((resolve) => child.once('message', resolve));
  test.match(ready, {
    kind: 'sandbox.ready',
    url: /^http:/,
    smtpUrl: /^smtp:/,
    providerUrls: { FCM: /fcm$/, APNS: /^http:/ },
    webPushUrl: /webpush$/,
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.disconnect();
  test.equal(await exited, 0);
});

t.test('a sandbox that cannot start leaves the telling to its parent', async (test) => {
  const sandbox = await startSandbox({ port: 0 });
  test.teardown(() => sandbox.close());
  const child = fork(program, {
    env: { ...process.env, ENGAGE_SANDBOX_PORT: new URL(sandbox.url).port },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const told = new Promise<unknown>((resolve) => child.once('message', resolve));
  const closed = new Promise((resolve) => child.once('close', resolve));
  test.match(await told, {
    kind: 'sandbox.failed',
    problem: /^a port is taken .*ENGAGE_SANDBOX_PORT/,
  });
  test.equal(await closed, 1);
  test.equal(printed, '');
});

t.test('hosts and origins are judged as the comment says', async (test) => {
  for (const host of [
    '127.0.0.1:1',
    'localhost',
    'inbox.localhost:2',
    '[::1]:3',
    '192.168.1.5:80',
  ]) {
    test.ok(isFromHere(host, undefined), host);
    test.ok(isFromHere(host, `http://${host}`), host);
  }
  for (const host of [undefined, '', 'evil.example', 'localhost.evil.example', 'a b']) {
    test.notOk(isFromHere(host, undefined), String(host));
  }
  test.notOk(isFromHere('127.0.0.1:1', 'http://127.0.0.1:2'), 'another port');
  test.ok(isLoopback('127.9.9.9'));
  test.notOk(isLoopback('127.evil.example'));
  test.notOk(isLoopback('10.0.0.1'));
});

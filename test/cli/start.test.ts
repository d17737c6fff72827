// The `engage` command as a person types it: how a start that cannot work ends, how a wrong call
// ends, and what the commands that only tell something print.

import { createServer } from 'node:net';
import t from 'tap';
import { UsageError } from '../../cli/command.ts';
import { command as config } from '../../cli/config.ts';
import { makeDirectory } from '../../cli/directory.ts';
import { command as sandbox } from '../../cli/sandbox.ts';
import { command as start } from '../../cli/start.ts';
import { command as version } from '../../cli/version-command.ts';
import { freePorts } from '../support/server.ts';
import { engage } from './support/engage.ts';

t.test('a start that cannot work says so once, and ends with 1', async (t) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const address = server.address();
  const taken = typeof address === 'object' ? address?.port : 0;
  const [port, metricsPort] = await freePorts(2);
  const { code, stdout, stderr } = await engage(['start'], {
    ENGAGE_DATA_DIR: import.meta.filename,
    ENGAGE_PORT: String(port),
    ENGAGE_METRICS_PORT: String(metricsPort),
    ENGAGE_SANDBOX_PORT: String(taken),
  });
  t.same(stderr.split('\n'), [
    `engage: ENGAGE_DATA_DIR is "${import.meta.filename}": expected a directory, but it is a file.`,
    `engage: ENGAGE_SANDBOX_PORT is ${taken}: another program listens on that port of 127.0.0.1; stop it, or set another port.`,
    '',
  ]);
  t.equal(stdout, '');
  t.equal(code, 1);
});

t.test('words that a command does not know are a wrong call', async (t) => {
  for (const { run, name } of [start, sandbox, config, version]) {
    await t.rejects(run(['extra']), UsageError, `${name} extra`);
    await t.rejects(run(['--foo']), UsageError, `${name} --foo`);
  }
  const { code, stderr } = await engage(['start', 'extra'], {});
  t.equal(stderr, 'engage: unexpected argument extra; usage: engage start\n');
  t.equal(code, 2);
});

t.test('the version is told, with what the program runs on', async (t) => {
  const { code, stdout } = await engage(['--version'], { ENGAGE_HTTP: 'node' });
  t.match(
    stdout,
    /^engage \d+\.\d+\.\d+\nnode v\S+ \(\w+ \w+\)\nhttp node:http, set by ENGAGE_HTTP\n$/,
  );
  t.equal(code, 0);
});

t.test('a sandbox of its own says where everything goes', async (t) => {
  const [port] = await freePorts(1);
  const { code, stdout } = await engage(
    ['sandbox'],
    { ENGAGE_SANDBOX_PORT: String(port) },
    (text) => text.endsWith('\n'),
  );
  const url = `http://127.0.0.1:${port}`;
  for (const part of [
    `inbox                    ${url}\n`,
    'ENGAGE_SMTP_URL=smtp://127.0.0.1:',
    `ENGAGE_FCM_URL=${url}/fcm\n`,
    'ENGAGE_DNS_SERVERS=127.0.0.1:',
    `POST ${url}/control/webpush/subscriptions`,
    `${url}/webpush/s/`,
  ])
    t.ok(stdout.includes(part), part);
  t.equal(code, 0);
});

t.test(
  'a directory that cannot be made is an error of one sentence, not a wait without end',
  { skip: process.platform !== 'linux' },
  async (t) => {
    t.throws(() => makeDirectory('/proc/x/y'), {
      message: '/proc/x/y: expected a directory, but /proc cannot hold a new one (ENOENT).',
    });
  },
);

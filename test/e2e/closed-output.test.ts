// Whoever reads the log may go away (`engage start | head`): the service goes on. The operators'
// port answers only calls to this machine by name.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { request } from 'undici';
import { nodeArguments, root } from '../support/places.ts';
import { freePorts, until } from '../support/server.ts';

t.test('closed outputs end nothing, and an engine that ends is started again', async (t) => {
  const [port, metricsPort, sandboxPort] = await freePorts(3);
  const directory = mkdtempSync(join(tmpdir(), 'engage-closed-'));
  const child = spawn(process.execPath, [...nodeArguments('cli/main.ts'), 'start'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      ENGAGE_PORT: String(port),
      ENGAGE_METRICS_PORT: String(metricsPort),
      ENGAGE_SANDBOX_PORT: String(sandboxPort),
      ENGAGE_DATA_DIR: directory,
      ENGAGE_LOG_LEVEL: 'debug',
    },
  });
  t.teardown(async () => {
    const ended = once(child, 'close');
    process.kill(-(child.pid as number), 'SIGKILL');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  });
  child.stdout.once('data', () => {
    child.stdout.destroy();
    child.stderr.destroy();
  });
  const metrics = `http://127.0.0.1:${metricsPort}`;
  const isReady = async () => {
    try {
      const { statusCode, body } = await request(`${metrics}/readyz`, { reset: true });
      await body.dump();
      return statusCode === 200;
    } catch {
      return false;
    }
  };
  await until(isReady, 'it does not start', 60_000);
  const holder = () => /^process (\d+) /.exec(readFileSync(join(directory, 'lock'), 'utf8'))?.[1];
  const first = holder();
  process.kill(Number(first), 'SIGKILL'); // the primary logs it
  await until(async () => holder() !== first && (await isReady()), 'no engine comes back', 60_000);
  t.equal(child.exitCode, null);

  for (const [host, status] of [
    [`localhost:${metricsPort}`, 200],
    ['[::1]', 200],
    [`attacker.example:${metricsPort}`, 421],
    ['127.0.0.1.attacker.example', 421],
  ] as const) {
    const answer = await request(`${metrics}/metrics`, { headers: { host }, reset: true });
    await answer.body.dump();
    t.equal(answer.statusCode, status, host);
  }
});

// `npm start` and `npx engage start` as a supervisor, a terminal and an operator end them: the
// server drains and goes with npm, and npm says so.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { root } from '../support/places.ts';
import { client, freePorts, until } from '../support/server.ts';

/** Processes of a group that have not ended. */
function livingIn(group: number): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [state, , pgrp] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return state !== 'Z' && Number(pgrp) === group;
      } catch {
        return false;
      }
    });
}

interface Started {
  readonly npm: ChildProcess;
  readonly group: number;
  readonly log: () => string;
  readonly ended: Promise<readonly unknown[]>;
}

async function npmStart(t: Test, command = ['npm', 'start']): Promise<Started> {
  const [port, metricsPort, sandboxPort] = await freePorts(3);
  const directory = mkdtempSync(join(tmpdir(), 'engage-npm-'));
  const [program = '', ...words] = command;
  const npm = spawn(program, words, {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      ENGAGE_PORT: String(port),
      ENGAGE_METRICS_PORT: String(metricsPort),
      ENGAGE_SANDBOX_PORT: String(sandboxPort),
      ENGAGE_DATA_DIR: directory,
    },
  });
  const output: string[] = [];
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => output.push(text));
  const group = npm.pid as number;
  const ended = once(npm, 'exit');
  t.teardown(async () => {
    try {
      process.kill(-group, 'SIGKILL');
    } catch {
      // it has ended
    }
    await until(() => livingIn(group).length === 0, 'the group does not end', 10_000);
    rmSync(directory, { recursive: true, force: true });
  });
  const log = () => output.join('');
  const metrics = client(`http://127.0.0.1:${metricsPort}`);
  const isReady = async () => {
    try {
      return (await metrics.call('GET /readyz')).status === 200;
    } catch {
      return false;
    }
  };
  await until(isReady, () => `it does not start\n${log()}`, 120_000);
  return { npm, group, log, ended };
}

const gone = (group: number, log: () => string) =>
  until(
    () => livingIn(group).length === 0,
    () => `processes are left: ${livingIn(group).join(', ')}\n${log()}`,
    30_000,
  );

t.test('`npm start`', { skip: process.platform !== 'linux' }, async (t) => {
  for (const [signal, whole] of [
    ['SIGTERM', false],
    ['SIGTERM', true],
    ['SIGINT', true],
  ] as const) {
    const who = whole ? 'its whole group' : 'npm alone';
    await t.test(`${signal} to ${who} drains the server and ends with 0`, async (t) => {
      const { npm, group, log, ended } = await npmStart(t);
      process.kill(whole ? -group : (npm.pid as number), signal);
      const [code, by] = await ended;
      t.same([code, by], [0, null], 'npm’s exit code');
      await gone(group, log);
      t.match(log(), /"evt":"engine.stopped"/, 'it has drained');
    });
  }

  await t.test('SIGKILL to npm: the server notices and drains', async (t) => {
    const { npm, group, log, ended } = await npmStart(t);
    npm.kill('SIGKILL');
    await ended;
    await gone(group, log);
    t.match(log(), /"evt":"engine.stopped"/, 'it has drained');
  });
});

t.test('`npx engage start`', { skip: process.platform !== 'linux' }, async (t) => {
  const npx = ['npx', '--no-install', 'engage', 'start'];
  for (const [signal, whole] of [
    ['SIGTERM', false],
    ['SIGTERM', true],
    ['SIGINT', true],
    ['SIGKILL', false],
  ] as const) {
    const who = whole ? 'its whole group' : 'npx alone';
    await t.test(
      `after ${signal} to ${who} the server drains and no process is left`,
      async (t) => {
        const { npm, group, log, ended } = await npmStart(t, npx);
        process.kill(whole ? -group : (npm.pid as number), signal);
        await ended;
        await gone(group, log);
        t.match(log(), /"evt":"engine.stopped"/, 'it has drained');
      },
    );
  }
});

// One kill -9 for all that must outlive one: a start takes longer than most tests. Test files say
// what must hold afterwards, and each server is killed and started once, after the last file of the
// process: together.ts asks for it. A file that runs alone gets its kill after its own tests.

import root, { type Test } from 'tap';
import type { RunningServer } from './server.ts';

interface Check {
  readonly name: string;
  readonly server: RunningServer;
  holds(t: Test): Promise<unknown>;
  /** Starts what the kill shall interrupt. */
  begin?(t: Test): Promise<unknown>;
}

const kills: Check[] = [];
const stops: Check[] = [];
/** The test file that runs now, where there are several. */
let file: string | undefined;
let isQueued = false;

// A process that ends early has not passed what it did not check.
process.once('exit', () => {
  for (const { name } of [...kills, ...stops]) {
    process.stderr.write(`never checked: ${name}\n`);
    process.exitCode = 1;
  }
});

/**
 * Registers what must hold once this shared server was killed and started again. Other chapters run
 * in between, and checks must not rely on their order. `begin` runs right before the kill, at the
 * same time as those of others: for work that must be under way, or acknowledged just now.
 */
export function afterKill(
  server: RunningServer,
  name: string,
  holds: Check['holds'],
  begin?: Check['begin'],
): void {
  kills.push({ server, name: named(name), holds, ...(begin && { begin }) });
  queueAlone();
}

/** Registers what must hold once this shared server has stopped, which is its end. */
export function afterStop(server: RunningServer, name: string, holds: Check['holds']): void {
  stops.push({ server, name: named(name), holds });
  queueAlone();
}

/** Says whose checks the next ones are. From now on, checks wait for `checkAll`. */
export function beginFile(path: string): void {
  file = path;
}

/** Kills each server that has checks, and runs them. */
export async function checkAll(t: Test): Promise<void> {
  isQueued = false;
  const checks = kills.splice(0);
  const lastChecks = stops.splice(0);
  for (const server of new Set([...checks, ...lastChecks].map((check) => check.server))) {
    const saidBefore = server.log().length;
    const of = (some: readonly Check[]) => some.filter((check) => check.server === server);
    await killAndCheck(t, server, of(checks));
    await stopAndCheck(t, server, of(lastChecks));
    if (!t.passing())
      process.stderr.write(`--- log of the server ---\n${server.log().slice(saidBefore)}---\n`);
  }
}

async function killAndCheck(t: Test, server: RunningServer, checks: readonly Check[]) {
  if (checks.length === 0) return;
  // One that a test started for itself would start again without its directory.
  if (server.ended()) throw new Error(`${checks[0]?.name}: its server has ended`);
  await Promise.all(checks.map((check) => check.begin?.(t)));
  await server.kill('SIGKILL');
  await server.start();
  for (const { name, holds } of checks) await t.test(name, async (t) => void (await holds(t)));
}

async function stopAndCheck(t: Test, server: RunningServer, checks: readonly Check[]) {
  if (checks.length === 0) return;
  t.equal(await server.stop(), 0, 'the server stops when it is asked to');
  for (const { name, holds } of checks) await t.test(name, async (t) => void (await holds(t)));
}

function named(name: string): string {
  return file === undefined ? name : `${file}: ${name}`;
}

/** Behind the tests that the file has registered by now. */
function queueAlone(): void {
  if (file !== undefined || isQueued) return;
  isQueued = true;
  root.test('after a kill -9', checkAll);
}

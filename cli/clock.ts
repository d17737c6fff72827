// `engage clock` compares the clock with the newest data; `engage clock accept` tells the running
// server that its clock is right.

import type { ClockState } from '../http/process/admin-socket.ts';
import { clockWarnings } from '../http/process/clock-warnings.ts';
import { readConfig } from '../http/process/config.ts';
import { askServer, needData } from './admin-client.ts';
import { type Command, UsageError } from './command.ts';

export const command: Command = {
  name: 'clock',
  summary: "Compare the server's clock with its data, or confirm that the clock is right.",
  usage: 'engage clock [accept]',
  help: [
    'Shows the time of the running server. The exit code is 1 if its clock is behind the newest',
    'data, or ahead of it and not confirmed.',
    '',
    'engage clock accept confirms that the clock was wrong before and is right now. Check it with',
    '`date -u` first. From then on, new records get the right time. Retries, journey waits and',
    'throttles keep the time they have left to wait. Idempotency keys and event ids from the',
    'wrong time are remembered for 24 hours. Events and receipts that are already stored keep',
    'their time. This cannot be undone.',
  ].join('\n'),
  run: clock,
};

async function clock(words: readonly string[]): Promise<number> {
  const [verb, more] = words;
  if (more !== undefined || (verb !== undefined && verb !== 'accept'))
    throw new UsageError(`usage: ${command.usage}`);
  const { dataDir } = readConfig(process.env);
  needData(dataDir);
  return verb === 'accept' ? accept(dataDir) : show(dataDir);
}

async function show(dataDir: string): Promise<number> {
  const state = running(await askServer<'clock'>(dataDir, { command: 'clock' }));
  const warnings = clockWarnings(state);
  const sentences = warnings.map(({ message }) => message);
  if (warnings.length === 0) sentences.push('The clock agrees with the data.');
  process.stdout.write(`The clock shows ${state.now}.\n${sentences.join('\n')}\n`);
  return warnings.length === 0 ? 0 : 1;
}

async function accept(dataDir: string): Promise<number> {
  const before = running(await askServer<'clock.accept'>(dataDir, { command: 'clock.accept' }));
  const [warning] = clockWarnings(before);
  process.stdout.write(
    warning === undefined
      ? `The clock shows ${before.now} and already agreed with the data.\n`
      : `Accepted: it is ${before.now}.\n`,
  );
  return 0;
}

function running(state: ClockState | undefined): ClockState {
  if (state === undefined)
    throw new Error(
      'the server is not running; start it and try again. It compares its clock with the data when it starts.',
    );
  return state;
}

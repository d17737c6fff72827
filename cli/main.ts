#!/usr/bin/env node
// The `engage` command: finds the subcommand, shows help, and turns errors into sentences (one per
// problem) and an exit code: 0 done, 1 failed, 2 wrong usage.

import { helpText, UsageError } from './command.ts';
import { commands } from './commands.ts';
import { endWithNpx } from './end-with-npx.ts';

/** What people try first. */
const aliases: Readonly<Record<string, string>> = { '--version': 'version', '-v': 'version' };

async function all() {
  return await Promise.all(Object.values(commands).map(async (load) => (await load()).command));
}

async function main(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(helpText(await all()));
    return name === undefined ? 2 : 0;
  }
  const load = commands[aliases[name] ?? name];
  if (load === undefined)
    throw new UsageError(`unknown command \`engage ${name}\`; \`engage help\` lists the commands.`);
  const { command } = await load();
  if (rest.includes('--help') || rest.includes('-h')) {
    process.stdout.write(`${command.summary}\n\nusage: ${command.usage}\n\n${command.help}\n`);
    return 0;
  }
  endWithNpx();
  return command.run(rest, all);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    for (const line of message.split('\n')) process.stderr.write(`engage: ${line}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  },
);

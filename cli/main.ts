#!/usr/bin/env node
// The `engage` command: finds the subcommand, shows help, and turns errors into sentences (one per
// problem) and an exit code: 0 done, 1 failed, 2 wrong usage.

import { type Command, helpText, UsageError } from './command.ts';
import { endWithNpx } from './end-with-npx.ts';

const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  start: () => import('./start.ts'),
  sandbox: () => import('./sandbox.ts'),
  config: () => import('./config.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  resume: () => import('./resume.ts'),
  check: () => import('./check.ts'),
  clock: () => import('./clock.ts'),
  keys: () => import('./keys.ts'),
  'dashboard-link': () => import('./dashboard-link.ts'),
  'import-endpoints': () => import('./import-endpoints.ts'),
  mcp: () => import('./mcp.ts'),
  version: () => import('./version-command.ts'),
};
/** What people try first. */
const aliases: Readonly<Record<string, string>> = { '--version': 'version', '-v': 'version' };

async function main(words: readonly string[]): Promise<number> {
  const [name, ...rest] = words;
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const all = await Promise.all(
      Object.values(commands).map(async (load) => (await load()).command),
    );
    process.stdout.write(helpText(all));
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
  return command.run(rest);
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

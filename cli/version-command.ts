// `engage version`: the versions of the program and its platform, for problem reports.

import { ConfigError, readConfig } from '../http/process/config.ts';
import { loadUws } from '../http/server/uws-library.ts';
import { version } from '../http/version.ts';
import type { Command } from './command.ts';
import { noWords } from './words.ts';

export const command: Command = {
  name: 'version',
  summary: 'Show the version and the runtime.',
  usage: 'engage version',
  help: 'Same as `engage --version`. The HTTP server shown is the one that `engage start` would use, based on ENGAGE_HTTP and on what loads here.',
  run: async (words) => {
    noWords(words, 'engage version');
    const lines = [
      `engage ${version}`,
      `node ${process.version} (${process.platform} ${process.arch})`,
      `http ${await httpWords()}`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  },
};

async function httpWords(): Promise<string> {
  if (wanted() === 'node') return 'node:http, set by ENGAGE_HTTP';
  const load = await loadUws();
  if (load.ok) return 'uWebSockets.js';
  return load.isAltered
    ? 'node:http: the binary of uWebSockets.js is not the one that was tested'
    : 'node:http: uWebSockets.js has no binary that loads here';
}

/** Shows the version even if settings are wrong. */
function wanted(): string {
  try {
    return readConfig(process.env).http;
  } catch (error) {
    if (error instanceof ConfigError) return process.env['ENGAGE_HTTP'] ?? 'auto';
    throw error;
  }
}

// `engage config`: every setting with its meaning and its value, secrets masked.

import { providerNames, readConfig, variables } from '../http/config.ts';
import type { Command } from './command.ts';
import { noWords } from './words.ts';

export const command: Command = {
  name: 'config',
  summary: 'Show every setting with its description and current value.',
  usage: 'engage config',
  help: 'Settings are environment variables. An invalid value stops the server at startup, with an error that names it.',
  run: async (words) => {
    noWords(words, 'engage config');
    readConfig(process.env);
    const lines: string[] = [];
    for (const [name, entry] of Object.entries(variables)) {
      const text = process.env[name];
      const value =
        text === undefined || text === ''
          ? defaultText(entry.schema)
          : 'secret' in entry
            ? '••••••••'
            : text;
      const origin = text === undefined || text === '' ? 'default' : 'set';
      lines.push(`${name}=${value}   (${origin})`, `    ${entry.meaning}`);
    }
    for (const provider of providerNames) {
      const name = `ENGAGE_${provider}_URL`;
      const text = process.env[name];
      if (text) lines.push(`${name}=${text}   (set)`, '    URL of this provider.');
    }
    lines.push(
      `ENGAGE_<PROVIDER>_URL with ${providerNames.join(', ')}`,
      "    URLs of providers, instead of their own or the sandbox's.",
    );
    process.stdout.write(`${lines.join('\n')}\n`);
    return 0;
  },
};

function defaultText(schema: {
  safeParse(value: unknown): { success: boolean; data?: unknown };
}): string {
  const parsed = schema.safeParse(undefined);
  return parsed.success && parsed.data !== undefined ? String(parsed.data) : '';
}

// `engage config`: every setting with its meaning and its value, secrets masked.

import { providerNames, readConfig, variables } from '../http/process/config.ts';
import { fileNameOf } from '../http/process/secret-files.ts';
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
      const { value, origin } = shownValue(name, entry);
      lines.push(`${name}=${value}   (${origin})`, `    ${entry.meaning}`);
      if ('secret' in entry)
        lines.push(`    ${fileNameOf(name)} may name a file that holds the value.`);
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

type Entry = (typeof variables)[keyof typeof variables];

function shownValue(name: string, entry: Entry) {
  const text = process.env[name] ?? '';
  const file = 'secret' in entry ? (process.env[fileNameOf(name)] ?? '') : '';
  if (file !== '') return { value: masked, origin: `in ${file}` };
  if (text === '') return { value: defaultText(entry.schema), origin: 'default' };
  return { value: 'secret' in entry ? masked : text, origin: 'set' };
}

const masked = '••••••••';

function defaultText(schema: {
  safeParse(value: unknown): { success: boolean; data?: unknown };
}): string {
  const parsed = schema.safeParse(undefined);
  return parsed.success && parsed.data !== undefined ? String(parsed.data) : '';
}

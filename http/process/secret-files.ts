// Secrets from files, as container platforms mount them: ENGAGE_MASTER_KEY_FILE names a file with
// the value of ENGAGE_MASTER_KEY, so that no environment holds it.

import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';

type Environment = Readonly<Record<string, string | undefined>>;

/** The setting that names the file of a secret. */
export function fileNameOf(secret: string): string {
  return `${secret}_FILE`;
}

/** A secret file is a line; who mounts a larger one has named another file. */
const bytesMax = 64 * 1024;

/**
 * The environment with the secrets of their files. `problems` gets a sentence for each file that
 * cannot be used. A line break at the end is not part of a secret.
 */
export function withSecretFiles(
  environment: Environment,
  secrets: readonly string[],
  problems: string[],
): Environment {
  const read: Record<string, string> = {};
  for (const secret of secrets) {
    const setting = fileNameOf(secret);
    const path = environment[setting] ?? '';
    if (path === '') continue;
    if ((environment[secret] ?? '') !== '') {
      problems.push(`${secret} and ${setting} are both set; set one of them.`);
      continue;
    }
    const value = valueIn(path);
    if ('problem' in value)
      problems.push(`${setting} is ${JSON.stringify(path)}: ${value.problem}.`);
    else read[secret] = value.text;
  }
  return { ...environment, ...read };
}

function valueIn(path: string): { readonly text: string } | { readonly problem: string } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return { problem: reasons[code ?? ''] ?? message };
  }
  if (bytes.length > bytesMax) return { problem: `expected at most ${bytesMax} bytes` };
  if (!isUtf8(bytes)) return { problem: 'expected text in UTF-8' };
  // Notepad begins a file with a byte order mark.
  const text = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .replace(/\r?\n$/, '');
  if (text === '') return { problem: 'the file is empty' };
  if (/[\r\n\0]/.test(text)) return { problem: 'expected one line' };
  return { text };
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'this user may not read it',
  EISDIR: 'it is a directory',
};

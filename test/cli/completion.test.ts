// `engage completion`, by the shell that is everywhere.

import { execFileSync } from 'node:child_process';
import t from 'tap';
import { UsageError } from '../../cli/command.ts';
import { commands } from '../../cli/commands.ts';
import { command } from '../../cli/completion.ts';

const all = () => Promise.all(Object.values(commands).map(async (load) => (await load()).command));

async function scriptOf(shell: string): Promise<string> {
  const written: string[] = [];
  const { write } = process.stdout;
  process.stdout.write = ((text: string) => written.push(text) > 0) as typeof write;
  try {
    await command.run([shell], all);
  } finally {
    process.stdout.write = write;
  }
  return written.join('');
}

t.test('bash completes commands and options', async (t) => {
  const script = await scriptOf('bash');
  const complete = (...words: string[]) => {
    const last = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}`;
    const ask = `${script}\n${last}; _engage; echo "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', ask], { encoding: 'utf8' }).trim().split(' ');
  };
  t.same(complete('engage', 'ba'), ['backup']);
  t.same(complete('engage', ''), Object.keys(commands));
  t.same(complete('engage', 'restore', '--in'), ['--into']);
});

t.test('bash completes a file whose name has blanks as one word', async (t) => {
  const place = t.testdir({ 'my people.jsonl': '', other: '' });
  const ask = `COMP_WORDS=(engage import-endpoints my); COMP_CWORD=2; _engage; printf '%s|' "\${COMPREPLY[@]}"`;
  const script = `${await scriptOf('bash')}\n${ask}`;
  const found = execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: place });
  t.equal(found, 'my people.jsonl|');
});

t.test('every shell knows every command', async (t) => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = await scriptOf(shell);
    for (const name of Object.keys(commands)) t.match(script, name, `${shell}: ${name}`);
  }
});

t.test('anything else is refused with the usage', async (t) => {
  for (const words of [[], ['tcsh'], ['bash', 'zsh'], ['--bash']])
    await t.rejects(command.run(words, all), UsageError);
});

// Parses a command's arguments. Strict: a command that changes data must not guess.

import { UsageError } from './command.ts';

interface Words {
  readonly positionals: readonly string[];
  /** By name without dashes. A switch is `''`. */
  readonly options: ReadonlyMap<string, string>;
}

/** `valued` options are `--name value` or `--name=value`; `switches` stand alone. */
export function parseWords(
  words: readonly string[],
  valued: readonly string[],
  switches: readonly string[] = [],
): Words {
  const positionals: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (!word.startsWith('-')) {
      positionals.push(word);
      continue;
    }
    const [name = '', inline] = word.replace(/^--/, '').split(/=(.*)/s);
    if (options.has(name)) throw new UsageError(`--${name} appears twice.`);
    if (word.startsWith('--') && switches.includes(name) && inline === undefined) {
      options.set(name, '');
    } else if (word.startsWith('--') && valued.includes(name)) {
      const value = inline ?? words[++at];
      if (value === undefined || value === '') throw new UsageError(`--${name} needs a value.`);
      options.set(name, value);
    } else throw new UsageError(`unknown option ${word}; --help lists the options.`);
  }
  return { positionals, options };
}

/** Throws `UsageError` for any argument. */
export function noWords(words: readonly string[], usage: string): void {
  const [word] = parseWords(words, []).positionals;
  if (word !== undefined) throw new UsageError(`unexpected argument ${word}; usage: ${usage}`);
}

/** The value of an option with few choices. The first is the default. */
export function choice<const Choice extends string>(
  options: ReadonlyMap<string, string>,
  name: string,
  choices: readonly [Choice, ...Choice[]],
): Choice {
  const text = options.get(name) ?? choices[0];
  const found = choices.find((one) => one === text);
  if (found === undefined)
    throw new UsageError(`--${name} is "${text}"; expected ${choices.join(' or ')}.`);
  return found;
}

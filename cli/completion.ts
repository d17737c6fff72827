// `engage completion`: a script with which a shell completes the commands and their options. The
// commands themselves make it, so it cannot lag behind them.

import { type Command, UsageError } from './command.ts';
import { parseWords } from './words.ts';

export const command: Command = {
  name: 'completion',
  summary: 'Print a script that completes commands in bash, zsh or fish.',
  usage: 'engage completion bash|zsh|fish',
  help: [
    'bash: source <(engage completion bash)',
    'zsh:  source <(engage completion zsh), after compinit',
    'fish: engage completion fish > ~/.config/fish/completions/engage.fish',
  ].join('\n'),
  run: async (words, all) => {
    const { positionals } = parseWords(words, []);
    const [shell, extra] = positionals;
    const script = scripts[shell ?? ''];
    if (script === undefined || extra !== undefined)
      throw new UsageError('expected one shell; usage: engage completion bash|zsh|fish');
    process.stdout.write(script(((await all?.()) ?? []).map(completed)));
    return 0;
  },
};

interface Completed {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly string[];
}

/** Those that its usage and its help name. */
function completed({ name, summary, usage, help }: Command): Completed {
  const options = `${usage}\n${help}`.match(/--[a-z][a-z-]*/g) ?? [];
  return { name, summary, options: [...new Set([...options, '--help'])].sort() };
}

/** In single quotes, for any of the three shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const scripts: Readonly<Record<string, (all: readonly Completed[]) => string>> = {
  bash: (all) => `_engage() {
  local word=\${COMP_WORDS[COMP_CWORD]} names=
  if [ "$COMP_CWORD" -eq 1 ]; then
    names=${quoted(all.map(({ name }) => name).join(' '))}
  else
    case \${COMP_WORDS[1]} in
${all.map(({ name, options }) => `      ${name}) names=${quoted(options.join(' '))} ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$names" -- "$word"))
  [ "$COMP_CWORD" -eq 1 ] || [[ $word == -* ]] && return
  local IFS=$'\\n'
  COMPREPLY=($(compgen -f -- "$word"))
}
complete -o filenames -F _engage engage
`,
  zsh: (all) => `_engage() {
  local -a names
  if (( CURRENT == 2 )); then
    names=(
${all.map(({ name, summary }) => `      ${quoted(`${name}:${summary}`)}`).join('\n')}
    )
    _describe command names
    return
  fi
  case \${words[2]} in
${all.map(({ name, options }) => `    ${name}) names=(${options.join(' ')}) ;;`).join('\n')}
  esac
  if [[ \${words[CURRENT]} == -* ]]; then compadd -- $names; else _files; fi
}
compdef _engage engage
`,
  fish: (all) =>
    all
      .flatMap(({ name, summary, options }) => [
        `complete -c engage -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
        ...options.map(
          (option) =>
            `complete -c engage -n ${quoted(`__fish_seen_subcommand_from ${name}`)} -l ${option.slice(2)}`,
        ),
      ])
      .join('\n')
      .concat('\n'),
};

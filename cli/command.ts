// A subcommand.

export interface Command {
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly help: string;
  /**
   * Resolves to the exit code. Errors become one sentence on stderr. `all` loads every command, for
   * the one that lists them.
   */
  run(words: readonly string[], all?: () => Promise<readonly Command[]>): Promise<number>;
}

/** Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function helpText(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  const lines = commands.map(({ name, summary }) => `  engage ${name.padEnd(width)}  ${summary}`);
  return `Engage, a self-hosted messaging and engagement service.\n\n${lines.join('\n')}\n\nRun \`engage <command> --help\` for details. Settings are environment variables; \`engage config\` lists them.\n`;
}

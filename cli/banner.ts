// The text shown when the server is ready: the addresses, and a first message to copy.

import type { Config } from '../http/config.ts';

/** `demo` only at a sandbox's first start. */
export interface ReadyMessage {
  readonly port: number;
  /** Whole sentences about what the operator should look at. */
  readonly warnings?: readonly string[];
  readonly demo?: { readonly appId: string; readonly apiKey: string };
}

/** Only on a terminal, unless there is a demo key, which shows just once. */
export function banner(
  config: Config,
  sandbox: { readonly url: string } | undefined,
  ready: ReadyMessage,
): void {
  const lines = [
    '',
    `  Engage is ready     ${config.publicUrl}  (${config.mode} mode)`,
    `  API reference       ${config.publicUrl}/docs`,
    ...(sandbox === undefined ? [] : [`  Sandbox inbox       ${sandbox.url}`]),
  ];
  for (const warning of ready.warnings ?? []) lines.push('', `  WARNING  ${warning}`);
  if (ready.demo !== undefined) {
    lines.push(
      '',
      '  A demo app was created. Its key is shown only now, and stored in the file demo.env of the data directory:',
      '',
      `    export ENGAGE_APP=${ready.demo.appId}`,
      `    export ENGAGE_KEY=${ready.demo.apiKey}`,
    );
  }
  process.stderr.write(`${lines.join('\n')}\n\n`);
}

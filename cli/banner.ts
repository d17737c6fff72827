// The text shown when the server is ready: where it listens, where its token is, whether it can
// send email, and a first message to copy.

import { join } from 'node:path';
import type { Config } from '../http/process/config.ts';
import { bootstrapTokenFile } from '../storage/secrets.ts';

/** `demo` only at a sandbox's first start; `dashboard` is a link that signs in to its org once. */
export interface ReadyMessage {
  readonly port: number;
  /** Whole sentences about what the operator should look at. */
  readonly warnings?: readonly string[];
  readonly dashboard?: string;
  readonly demo?: { readonly appId: string; readonly apiKey: string };
}

/** Never a secret but the demo's, of a key and a link: logs keep what is printed here. */
export function bannerText(
  config: Config,
  sandbox: { readonly url: string } | undefined,
  ready: ReadyMessage,
): string {
  const { host, ingestPort, metricsPort, mode, publicUrl } = config;
  const scheme = config.tls === undefined ? 'http' : 'https';
  const name = host.includes(':') ? `[${host}]` : host;
  const listening = [ready.port, ...(ingestPort === undefined ? [] : [ingestPort])];
  const rows: readonly (readonly [name: string, value: string])[] = [
    ['Engage is ready', `${publicUrl}  (${mode} mode)`],
    ['Listening on', listening.map((port) => `${scheme}://${name}:${port}`).join(', ')],
    ['Dashboard', ready.dashboard ?? `${publicUrl}/dashboard`],
    ['API reference', `${publicUrl}/docs`],
    ['Metrics', `http://127.0.0.1:${metricsPort}/metrics`],
    ...(sandbox === undefined ? [] : [['Sandbox inbox', sandbox.url] as const]),
    ['Operator\u2019s token', tokenPlace(config)],
    ...(mode === 'live' ? [['Email', emailWords(config)] as const] : []),
  ];
  const lines = ['', ...rows.map(([label, value]) => `  ${label.padEnd(20)}${value}`)];
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
  return `${lines.join('\n')}\n\n`;
}

/** It creates orgs, with `POST /v1/orgs`. */
function tokenPlace({ bootstrapToken, dataDir }: Config): string {
  return bootstrapToken === undefined
    ? `in the file ${join(dataDir, bootstrapTokenFile)}`
    : 'the value of ENGAGE_BOOTSTRAP_TOKEN';
}

function emailWords({ smtpUrl }: Config): string {
  if (smtpUrl === undefined) return 'NOT CONFIGURED, no email is sent: set ENGAGE_SMTP_URL';
  const { hostname, port } = new URL(smtpUrl);
  return `through ${hostname}${port === '' ? '' : `:${port}`}`;
}

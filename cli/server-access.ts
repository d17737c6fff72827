// How a command that calls the API finds the server and a key: options first, then the environment,
// then this machine's own server.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, readConfig } from '../http/process/config.ts';
import { UsageError } from './command.ts';

/** Without a final slash. */
export function serverUrl(option: string | undefined): string {
  const text = option ?? process.env['ENGAGE_URL'];
  if (!text) return localUrl(localConfig());
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const name = option === undefined ? 'ENGAGE_URL' : '--url';
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username || url.search)
    throw new UsageError(`${name} is ${JSON.stringify(text)}: expected an http or https URL.`);
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

export function apiKey(option: string | undefined): string {
  const key = givenKey(option);
  if (!key) throw new UsageError('an API key is required: set ENGAGE_API_KEY, or use --key.');
  return key;
}

/** The same, and for this machine's own sandbox the key of its demo app. */
export function apiKeyOrDemo(option: string | undefined, urlOption: string | undefined): string {
  const isLocal = urlOption === undefined && !process.env['ENGAGE_URL'];
  return givenKey(option) || (isLocal ? demoKey(localConfig().dataDir) : '') || apiKey(option);
}

function givenKey(option: string | undefined): string | undefined {
  return option || process.env['ENGAGE_API_KEY'] || process.env['ENGAGE_KEY'];
}

/** From the file that a sandbox's first start writes; empty without one. */
function demoKey(dataDir: string): string {
  try {
    const text = readFileSync(join(dataDir, 'demo.env'), 'utf8');
    return /^export ENGAGE_KEY=(\S+)$/m.exec(text)?.[1] ?? '';
  } catch {
    return ''; // there is no demo, or it is not this user's
  }
}

/** This machine's server, from its settings. */
function localUrl({ host, port, tls }: Config): string {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `${tls === undefined ? 'http' : 'https'}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

function localConfig(): Config {
  const { ENGAGE_URL: _url, ENGAGE_API_KEY: _key, ...settings } = process.env;
  return readConfig(settings);
}

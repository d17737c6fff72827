// The environments of a folder of content: `engage.json` names each with its server, its app and
// the variable that holds its key. Keys are in no file, so it can be committed.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Engage } from '../../sdk/node/src/engage.ts';
import { UsageError } from '../command.ts';

/** Where the names are. */
const environmentsFile = 'engage.json';

/** A server and an app of it, with a key. */
export interface ContentEnvironment {
  readonly name: string;
  readonly baseUrl: string;
  readonly appId: string;
  readonly engage: Engage;
}

const members = ['baseUrl', 'appId', 'keyVariable'] as const;

/** Throws sentences that say what to write. */
export function environmentNamed(folder: string, name: string): ContentEnvironment {
  const all = readEnvironments(folder);
  const found = all[name];
  if (found === undefined) {
    const names = Object.keys(all).join(', ');
    throw new UsageError(
      `${environmentsFile} has no environment ${name}; it has ${names || 'none'}.`,
    );
  }
  const given = found as Readonly<Record<string, unknown>>;
  const [baseUrl = '', appId = '', keyVariable = ''] = members.map((member) => {
    const value = given[member];
    if (typeof value !== 'string' || value === '')
      throw new UsageError(`${environmentsFile}: ${name}.${member}: expected a text.`);
    return value;
  });
  const stray = Object.keys(given).find((one) => !members.some((member) => member === one));
  if (stray !== undefined)
    throw new UsageError(
      `${environmentsFile}: ${name}.${stray}: expected only ${members.join(', ')}. Keys belong in the environment.`,
    );
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol))
    throw new UsageError(`${environmentsFile}: ${name}.baseUrl: expected an http or https URL.`);
  const apiKey = process.env[keyVariable];
  if (!apiKey) throw new UsageError(`set ${keyVariable} to an API key of the app (${name}).`);
  return { name, baseUrl, appId, engage: new Engage({ baseUrl, apiKey, appId }) };
}

function readEnvironments(folder: string): Readonly<Record<string, unknown>> {
  const path = join(folder, environmentsFile);
  const example =
    '{"staging": {"baseUrl": "https://engage.acme.example", "appId": "app_…", "keyVariable": "ENGAGE_STAGING_KEY"}}';
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    throw new UsageError(`${path} does not exist. Write it: ${example}`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new UsageError(`${path}: invalid JSON: ${(error as Error).message}`);
  }
  const isFine =
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((one) => typeof one === 'object' && one !== null);
  if (!isFine) throw new UsageError(`${path}: expected environments by name: ${example}`);
  return value as Readonly<Record<string, unknown>>;
}

// How far an import of another service came: opt-outs first, then people. Like that of endpoints it
// is only for equal bytes, options and program.

import { existsSync, readFileSync } from 'node:fs';
import { otherImport } from './import-state.ts';

export interface ServiceIdentity {
  readonly service: string;
  readonly url: string;
  readonly appId: string;
  /** All that changes what a record becomes. */
  readonly options: string;
  /** Version of Engage. */
  readonly version: string;
}

export interface ServiceProgress {
  /** Opt-outs that the server has. */
  readonly optOuts: number;
  readonly added: number;
  readonly known: number;
  readonly optOutsFailed: number;
  /** People, failed ones included. */
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  /** Devices that were refused, of people who were not. */
  readonly devicesFailed: number;
  /** Choices of topics that the person is out of, and stays out of. */
  readonly keptOut: number;
  /** Length of its errors file; absent without one. */
  readonly errorsBytes?: number;
}

type ServiceState = ServiceIdentity &
  ServiceProgress & { readonly format: 1; readonly sha256: string };

export const noProgress: ServiceProgress = {
  optOuts: 0,
  added: 0,
  known: 0,
  optOutsFailed: 0,
  rows: 0,
  created: 0,
  updated: 0,
  failed: 0,
  devicesFailed: 0,
  keptOut: 0,
};

const names = {
  service: 'the service',
  url: 'the server',
  appId: 'the app',
  options: 'the options',
  version: 'the version of Engage',
} as const;

/** Throws one sentence for another kind of file, or another import. */
export function readServiceState(
  path: string,
  identity: ServiceIdentity,
): ServiceState | undefined {
  if (!existsSync(path)) return undefined;
  const state = parsed(readFileSync(path, 'utf8'));
  if (state === undefined)
    throw new Error(
      `${path} is not an import state file; remove it, or name another with --state.`,
    );
  for (const name of Object.keys(names) as (keyof typeof names)[])
    if (state[name] !== identity[name]) throw otherImport(path, names[name]);
  return state;
}

function parsed(text: string): ServiceState | undefined {
  try {
    const state = JSON.parse(text) as Partial<ServiceState> | null;
    if (state?.format !== 1 || typeof state.sha256 !== 'string') return undefined;
    const isWhole = Object.keys(noProgress).every((name) => {
      const count = state[name as keyof typeof noProgress];
      return Number.isSafeInteger(count) && Number(count) >= 0;
    });
    return isWhole ? (state as ServiceState) : undefined;
  } catch {
    return undefined;
  }
}

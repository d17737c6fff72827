// JSON Lines as a table: flat objects have columns, the names of the whole file. Lines that are
// rows of the API already have none.

import type { ImportRow } from './to-row.ts';

const ofApi: readonly string[] = [
  'externalUserId',
  'tags',
  'devices',
  'preferredChannels',
  'timezone',
];
/** What an export adds to a row. */
const ofServer: readonly string[] = ['id', 'createdAt', 'updatedAt', 'lastActiveAt'];

/** Collects the names of all objects of a file. */
export class JsonNames {
  readonly #names = new Set<string>();
  #isNested = false;

  add(value: object): void {
    for (const name of Object.keys(value)) this.#names.add(name);
    const { tags, devices } = value as { readonly tags?: unknown; readonly devices?: unknown };
    this.#isNested ||= isObject(tags) || Array.isArray(devices);
  }

  get size(): number {
    return this.#names.size;
  }

  /** The columns; `undefined` for rows of the API. */
  header(): readonly string[] | undefined {
    const isApi =
      this.#isNested || ([...this.#names].every(isKnown) && this.#names.has('externalUserId'));
    return isApi ? undefined : [...this.#names];
  }

  /** Members of rows of the API that the API does not take. */
  leftOut(): readonly string[] {
    return [...this.#names].filter((name) => !isKnown(name));
  }
}

function isKnown(name: string): boolean {
  return ofApi.includes(name) || ofServer.includes(name);
}

/** The members of an object that the API takes. */
export function apiRowOf(value: object): ImportRow {
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => ofApi.includes(name)),
  ) as ImportRow;
}

/** A value as a cell: what is shown, and what all targets but a tag of its type take. */
export function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(String).join('|');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

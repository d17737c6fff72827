// What a folder remembers of an environment: which thing of the server each file is, and how it was
// when it was last the same there. So a push notices what was changed on the server since. One file
// for each environment, to be committed with the content.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ContentEnvironment } from './environments.ts';
import type { Handle } from './thing.ts';

/** One file as the server had it. */
interface Pulled {
  readonly id: string;
  readonly hash: string;
}

interface Stored {
  readonly appId: string;
  readonly things: Readonly<Record<Handle, Pulled>>;
}

/** What was pulled from, or pushed to, one environment. */
export class PulledThings {
  readonly #path: string;
  readonly #appId: string;
  readonly #things: Map<Handle, Pulled>;

  constructor(folder: string, { name, appId }: ContentEnvironment) {
    this.#path = join(folder, '.engage', `${name}.json`);
    this.#appId = appId;
    this.#things = new Map(readThings(this.#path, appId));
  }

  of(handle: Handle): Pulled | undefined {
    return this.#things.get(handle);
  }

  handleOf(folder: string, id: string): Handle | undefined {
    for (const [handle, one] of this.#things)
      if (one.id === id && handle.startsWith(`${folder}/`)) return handle;
    return undefined;
  }

  handles(): readonly Handle[] {
    return [...this.#things.keys()];
  }

  set(handle: Handle, pulled: Pulled): void {
    this.#things.set(handle, pulled);
  }

  delete(handle: Handle): void {
    this.#things.delete(handle);
  }

  /** Whole or not at all: a push that is killed leaves the file of before or after. */
  save(): void {
    const sorted = [...this.#things].sort(([one], [other]) => (one < other ? -1 : 1));
    const stored: Stored = { appId: this.#appId, things: Object.fromEntries(sorted) };
    mkdirSync(dirname(this.#path), { recursive: true });
    writeFileSync(`${this.#path}.new`, `${JSON.stringify(stored, undefined, 2)}\n`);
    renameSync(`${this.#path}.new`, this.#path);
  }
}

function readThings(path: string, appId: string): readonly (readonly [Handle, Pulled])[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return []; // nothing was pulled yet
  }
  let stored: Partial<Stored>;
  try {
    stored = JSON.parse(text) as Partial<Stored>;
  } catch {
    throw new Error(`${path}: invalid JSON; restore it, or delete it and pull.`);
  }
  // Of another app that had this name before: none of its ids mean anything here.
  return stored.appId === appId ? Object.entries(stored.things ?? {}) : [];
}

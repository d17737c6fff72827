// An import's progress: acknowledged rows from the first on. Row order is only stable for equal
// bytes, options and program, so it refuses a state from anything else.

import { existsSync, readFileSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { syncFile } from '../../storage/files.ts';

export interface ImportIdentity {
  /** SHA-256 of the stored export. */
  readonly sha256: string;
  readonly url: string;
  readonly appId: string;
  readonly includeOptOut: boolean;
  /** That the caller named. */
  readonly encoding?: string;
  /** Absent: confirmed. */
  readonly consent?: 'doubleOptIn';
  /** Version of Engage. */
  readonly version: string;
}

export interface ImportProgress {
  /** Including failed rows. */
  readonly rows: number;
  readonly created: number;
  readonly updated: number;
  readonly failed: number;
  /** Length of its errors file; absent without one. */
  readonly errorsBytes?: number;
}

type ImportState = ImportIdentity & ImportProgress & { readonly format: 1 };

const names = {
  url: 'the server',
  appId: 'the app',
  includeOptOut: '--include-optout',
  encoding: '--encoding',
  consent: '--consent',
  version: 'the version of Engage',
} as const;

/**
 * An earlier run's state, or `undefined`. Throws a one-sentence error for another kind of file or
 * another import. `checkSource` compares the export after reading it.
 */
export function readState(
  path: string,
  identity: Omit<ImportIdentity, 'sha256'>,
): ImportState | undefined {
  if (!existsSync(path)) return undefined;
  const state = parseState(readFileSync(path, 'utf8'));
  if (state === undefined)
    throw new Error(
      `${path} is not an import state file; remove it, or name another with --state.`,
    );
  for (const name of Object.keys(names) as (keyof typeof names)[])
    if (state[name] !== identity[name]) throw otherImport(path, names[name]);
  return state;
}

/** Throws if the state is of another export. */
export function checkSource(path: string, state: ImportState, sha256: string): void {
  if (state.sha256 !== sha256) throw otherImport(path, "the file's contents");
}

export function otherImport(path: string, difference: string): Error {
  return new Error(
    `${path} holds the progress of another import; it differs in: ${difference}. Remove it to start over, or name another with --state.`,
  );
}

function parseState(text: string): ImportState | undefined {
  let state: Partial<ImportState> | null;
  try {
    state = JSON.parse(text) as Partial<ImportState> | null;
  } catch {
    return undefined;
  }
  const { rows, created, updated, failed, errorsBytes = 0 } = state ?? {};
  const isWhole =
    state?.format === 1 &&
    [rows, created, updated, failed, errorsBytes].every(
      (count) => Number.isSafeInteger(count) && Number(count) >= 0,
    ) &&
    rows === Number(created) + Number(updated) + Number(failed);
  return isWhole ? (state as ImportState) : undefined;
}

/** Writes the state durably. `note` keeps only the newest, so rows never wait. */
export class StateWriter<Progress extends object = ImportProgress> {
  readonly #path: string;
  readonly #identity: object;
  #next: Progress | undefined;
  #writing: Promise<void> | undefined;
  #problem: unknown;

  /** `identity`: of which import. */
  constructor(path: string, identity: object) {
    this.#path = path;
    this.#identity = identity;
  }

  /** Throws an earlier write's error: an import that cannot resume must not continue unnoticed. */
  note(progress: Progress): void {
    if (this.#problem !== undefined) throw this.#problem;
    this.#next = progress;
    this.#writing ??= this.#run();
  }

  /** Resolves once the newest note is on disk. */
  async settled(): Promise<void> {
    await this.#writing;
    if (this.#problem !== undefined) throw this.#problem;
  }

  async remove(): Promise<void> {
    await this.settled();
    await rm(this.#path, { force: true });
    await syncFile(dirname(this.#path));
  }

  async #run(): Promise<void> {
    try {
      while (this.#next !== undefined) {
        const progress = this.#next;
        this.#next = undefined;
        await this.#write(progress);
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#problem = new Error(`the state file cannot be written: ${reason}`);
    }
    this.#writing = undefined;
  }

  async #write(progress: Progress): Promise<void> {
    const state = { format: 1, ...this.#identity, ...progress };
    const draft = `${this.#path}.tmp`;
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile(`${JSON.stringify(state)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.#path);
    await syncFile(dirname(this.#path));
  }
}

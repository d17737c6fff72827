// Texts that may be opt-outs, until somebody decides about them: at most one of each address,
// oldest first. They are in memory alone, so that whatever ends one ends its words.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Bytes } from '../../../engine/base/brand.ts';
import { WeighedMap } from '../../weight.ts';
import type { DoubtfulText } from './protocol.ts';
import type { DoubtReads } from './reads.ts';

export interface DoubtsSnapshot {
  readonly open: readonly DoubtfulText[];
  readonly isAwaited: boolean;
}

export class Doubts implements DoubtReads {
  readonly #open = new WeighedMap<DoubtfulText>((doubt) => doubt);
  #isAwaited = false;

  static restore(from: DoubtsSnapshot | undefined): Doubts {
    const doubts = new Doubts();
    for (const doubt of from?.open ?? []) doubts.#open.set(doubt.identityKey, doubt);
    doubts.#isAwaited = from?.isAwaited ?? false;
    return doubts;
  }

  get size(): number {
    return this.#open.size;
  }

  get bytes(): Bytes {
    return this.#open.bytes;
  }

  /** Whether a timer is set that ends the old ones. */
  get isAwaited(): boolean {
    return this.#isAwaited;
  }

  at(identityKey: string): DoubtfulText | undefined {
    return this.#open.get(identityKey);
  }

  withId(id: string): DoubtfulText | undefined {
    for (const doubt of this.#open.values()) if (doubt.id === id) return doubt;
    return undefined;
  }

  /** Oldest first. */
  values(): Iterable<DoubtfulText> {
    return this.#open.values();
  }

  /** Takes the place of an earlier one of the same address. */
  add(doubt: DoubtfulText): void {
    this.endAt(doubt.identityKey);
    this.#open.set(doubt.identityKey, doubt);
    this.#isAwaited = true;
  }

  end(ids: readonly string[]): void {
    const ended = new Set(ids);
    for (const { id, identityKey } of [...this.#open.values()])
      if (ended.has(id)) this.#open.delete(identityKey);
  }

  endAt(identityKey: string): void {
    this.#open.delete(identityKey);
  }

  /** The timer came; another one is set as long as there is something to wait for. */
  passed(): void {
    this.#isAwaited = this.#open.size > 0;
  }

  rebase({ stamp }: Pick<Rebase, 'stamp'>): void {
    for (const doubt of [...this.#open.values()])
      this.#open.set(doubt.identityKey, { ...doubt, atMs: stamp(doubt.atMs) });
  }

  snapshot(): DoubtsSnapshot {
    return { open: [...this.#open.values()], isAwaited: this.#isAwaited };
  }
}

// The documents of a decision about many people: what earlier parts of it wrote, over what is
// stored. Documents change only after the decision, and its parts build on each other.

import type {
  Context,
  DocumentWrite,
  KeyPart,
  TableRef,
  TypedTable,
} from '../../../engine/actor/message.ts';

/** The last write per key. `before` is what earlier decisions would have written. */
export class PendingDocuments {
  readonly #below: Context['documents'];
  readonly #written: Map<string | number, DocumentWrite>;

  constructor(
    below: Context['documents'],
    before: ReadonlyMap<string | number, DocumentWrite> = new Map(),
  ) {
    this.#below = below;
    this.#written = new Map(before);
  }

  get written(): ReadonlyMap<string | number, DocumentWrite> {
    return this.#written;
  }

  get<Row extends object>(table: TypedTable<Row>, key: readonly KeyPart[]): Row | undefined {
    const written = this.#written.get(nameOf(table.id, key));
    // The name starts with this table's id.
    return written === undefined ? this.#below.get(table, key) : (written.value as Row | undefined);
  }

  /** Whether an earlier part of the decision wrote it. */
  hasWritten(table: TableRef, key: readonly KeyPart[]): boolean {
    return this.#written.size > 0 && this.#written.has(nameOf(table.id, key));
  }

  write(documents: readonly DocumentWrite[]): void {
    for (const write of documents) this.#written.set(nameOf(write.table.id, write.key), write);
  }

  writes(): readonly DocumentWrite[] {
    return [...this.#written.values()];
  }
}

/** A unique name of table and key: no channel has a NUL, and bytes come last. */
function nameOf(table: number, key: readonly KeyPart[]): string | number {
  const [first] = key;
  // A table's id is a byte.
  if (typeof first === 'number' && key.length === 1) return first * 256 + table;
  let name = String(table);
  for (const part of key) {
    name += typeof part === 'object' ? `\0${latin1(part)}` : `\0${part}`;
  }
  return name;
}

function latin1({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

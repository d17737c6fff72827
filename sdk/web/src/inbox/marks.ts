// What the person marked on this page and the server's answers do not show yet. A view is the
// newest answer with these marks on top. A mark stays until an answer that was asked for after the
// server had taken it: an older answer that comes late must not bring back what was archived.

export interface Marks {
  readonly read: readonly string[];
  readonly archive: readonly string[];
}

interface Listed {
  readonly id: string;
  readonly read: boolean;
  readonly archived: boolean;
}

interface Page<Item extends Listed> {
  readonly items: readonly Item[];
  readonly unread: number;
}

interface Kept extends Marks {
  /** Asks of after it show what was marked. */
  settledAt?: number;
}

export class MarksOnTop {
  readonly #kept = new Set<Kept>();
  /** Messages that were unread when the server last told of them. */
  readonly #unread = new Set<string>();
  #now = 0;

  /** Orders asks and answers. */
  tick(): number {
    return ++this.#now;
  }

  add(marks: Marks): Kept {
    const kept = { ...marks };
    this.#kept.add(kept);
    return kept;
  }

  /** The server has taken them. */
  settle(kept: Kept): void {
    kept.settledAt ??= this.tick();
  }

  /** The server has refused them. */
  remove(kept: Kept): void {
    this.#kept.delete(kept);
  }

  /** Notes an answer that was asked for at `askedAt`. */
  answered({ items }: Page<Listed>, askedAt: number): void {
    for (const { id, read, archived } of items)
      if (read || archived) this.#unread.delete(id);
      else this.#unread.add(id);
    for (const kept of this.#kept)
      if (kept.settledAt !== undefined && kept.settledAt < askedAt) {
        for (const id of [...kept.read, ...kept.archive]) this.#unread.delete(id);
        this.#kept.delete(kept);
      }
  }

  /** Messages that are unread as far as is known. */
  get unread(): readonly string[] {
    const { read, archive } = this.#all();
    return [...this.#unread].filter((id) => !read.has(id) && !archive.has(id));
  }

  /** An answer as the person shall see it. */
  over<Item extends Listed, Of extends Page<Item>>(page: Of & Page<Item>, isArchive = false): Of {
    const { read, archive } = this.#all();
    const items = page.items
      .filter(({ id }) => isArchive || !archive.has(id))
      .map((item) => (read.has(item.id) ? { ...item, read: true } : item));
    const gone = [...this.#unread].filter((id) => read.has(id) || archive.has(id)).length;
    return { ...page, items, unread: Math.max(0, page.unread - gone) };
  }

  #all(): { readonly read: ReadonlySet<string>; readonly archive: ReadonlySet<string> } {
    const kept = [...this.#kept];
    return {
      read: new Set(kept.flatMap(({ read }) => read)),
      archive: new Set(kept.flatMap(({ archive }) => archive)),
    };
  }
}

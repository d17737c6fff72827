// Email addresses of an import that may be wrong although they were imported: counts, and the first
// of each kind with its line. Of one run: what an earlier one sent is not asked again.

interface AddressNote {
  readonly file?: string;
  readonly line: number;
  readonly domain: string;
  /** The domain that was meant. */
  readonly meant?: string;
}

/** By `typo`, `disposable` and `role`. */
export type AddressNotes = Readonly<
  Record<string, { readonly count: number; readonly first: readonly AddressNote[] }>
>;

/** As answers to batches have them. */
export type AddressFlags = readonly {
  readonly flag: string;
  readonly count: number;
  readonly samples: readonly {
    readonly row: number;
    readonly domain: string;
    readonly meant?: string;
  }[];
}[];

const firstMax = 10;

/** `notes` with those of a batch, whose rows have these lines. */
export function withFlags(
  notes: AddressNotes,
  flags: AddressFlags = [],
  origins: readonly { readonly line: number; readonly file?: string }[],
): AddressNotes {
  const all: Record<string, AddressNotes[string]> = { ...notes };
  for (const { flag, count, samples } of flags) {
    const known = all[flag] ?? { count: 0, first: [] };
    const more = samples.slice(0, firstMax - known.first.length).map(({ row, domain, meant }) => {
      const { line = 0, file } = origins[row] ?? {};
      return {
        ...(file === undefined ? {} : { file }),
        line,
        domain,
        ...(meant === undefined ? {} : { meant }),
      };
    });
    all[flag] = { count: known.count + count, first: [...known.first, ...more] };
  }
  return all;
}

const words: Readonly<Record<string, string>> = {
  typo: 'Addresses with a domain that may be misspelled',
  disposable: 'Disposable addresses',
  role: 'Addresses of a role, such as info@',
};

/** One sentence per line; all of them were imported. */
export function notesText(notes: AddressNotes): string[] {
  return Object.entries(notes).map(([flag, { count, first }]) => {
    const some = first.slice(0, 3).map(({ file, line, domain, meant }) => {
      const place = file === undefined ? `line ${line}` : `${file}, line ${line}`;
      return meant === undefined ? `${place}: ${domain}` : `${place}: ${domain} for ${meant}`;
    });
    return `${words[flag] ?? flag}: ${count.toLocaleString('en-US')} (${some.join('; ')}).`;
  });
}

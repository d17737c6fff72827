// The records of the sandbox's DNS, which a person sets on the page. One zone for all names: it
// answers as a resolver would that follows CNAMEs to their end.

/** What a resolver answers; `silence` is no answer at all. */
export type Resolved =
  | { readonly status: 'ok'; readonly records: readonly DnsRecord[] }
  | { readonly status: 'no_such_name'; readonly records: readonly DnsRecord[] }
  | { readonly status: 'failure' }
  | { readonly status: 'silence' };

export interface DnsRecord {
  readonly id: number;
  readonly type: 'TXT' | 'CNAME';
  /** Lower case, without a final dot. */
  readonly name: string;
  /** A text of any length, or the name that a CNAME leads to. */
  readonly value: string;
}

/** Names with one of these labels fail without a record. */
export const failingLabels = [
  { label: 'servfail', says: 'the resolver answers SERVFAIL' },
  { label: 'timeout', says: 'the resolver never answers' },
] as const;

export const recordsMax = 500;
const chainMax = 8;

export class Zone {
  readonly #records = new Map<number, DnsRecord>();
  readonly #onChange: (records: readonly DnsRecord[]) => void;
  #nextId = 1;

  constructor(onChange: (records: readonly DnsRecord[]) => void = () => undefined) {
    this.#onChange = onChange;
  }

  get records(): readonly DnsRecord[] {
    return [...this.#records.values()];
  }

  /** `undefined` if there is no room. A record that is there already is not added again. */
  add(type: DnsRecord['type'], name: string, value: string): DnsRecord | undefined {
    const plain = plainName(name);
    const target = type === 'CNAME' ? plainName(value) : value;
    const known = this.records.find(
      (one) => one.type === type && one.name === plain && one.value === target,
    );
    if (known !== undefined) return known;
    if (this.#records.size >= recordsMax) return undefined;
    const record = { id: this.#nextId++, type, name: plain, value: target };
    this.#records.set(record.id, record);
    this.#onChange(this.records);
    return record;
  }

  remove(id: number): boolean {
    const isRemoved = this.#records.delete(id);
    if (isRemoved) this.#onChange(this.records);
    return isRemoved;
  }

  clear(): void {
    this.#records.clear();
    this.#onChange([]);
  }

  /** The answer to a question for one type of records at a name. */
  resolve(question: string, type: 'TXT' | 'CNAME' | undefined): Resolved {
    const labels = plainName(question).split('.');
    if (labels.includes('timeout')) return { status: 'silence' };
    if (labels.includes('servfail')) return { status: 'failure' };
    const chain: DnsRecord[] = [];
    let name = plainName(question);
    for (let hops = 0; hops <= chainMax; hops++) {
      const here = this.records.filter((one) => one.name === name);
      const alias = here.find((one) => one.type === 'CNAME');
      if (alias === undefined || type === 'CNAME') {
        const records = [...chain, ...here.filter((one) => one.type === type)];
        return { status: this.#exists(name) ? 'ok' : 'no_such_name', records };
      }
      chain.push(alias);
      name = alias.value;
    }
    return { status: 'failure' }; // a loop
  }

  /** A name also exists if something below it does (RFC 8020). */
  #exists(name: string): boolean {
    return this.records.some((one) => one.name === name || one.name.endsWith(`.${name}`));
  }
}

function plainName(name: string): string {
  return name.trim().toLowerCase().replace(/\.$/, '');
}

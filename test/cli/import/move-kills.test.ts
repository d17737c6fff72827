// However often an import is killed and started again, with each call done or not: at no moment is
// an address reachable that opted out, and in the end the same people are there as after one run.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import type { BroughtOptOut } from '../../../cli/import/draft.ts';
import type { PersonRow } from '../../../cli/import/person.ts';
import type { ServiceJob } from '../../../cli/import/run-move.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { tries } from '../../support/tries.ts';
import { importFrom } from '../support/move.ts';

const addresses = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'];
const statuses = ['enabled', 'disabled', 'blocklisted'] as const;

interface Line {
  readonly email: string;
  readonly status: (typeof statuses)[number];
  readonly list: 'none' | 'confirmed' | 'unsubscribed';
}

const line: fc.Arbitrary<Line> = fc.record({
  email: fc.constantFrom(...addresses),
  status: fc.constantFrom(...statuses),
  list: fc.constantFrom('none', 'confirmed', 'unsubscribed'),
});

class Killed extends Error {}

/** Keeps what the server would. A call of `kills` ends the process, before or after it is done. */
class Server {
  readonly suppressed = new Map<string, 'marketing' | 'all'>();
  readonly people = new Map<string, PersonRow>();
  readonly problems: string[] = [];
  readonly #isOptedOut: (address: string) => boolean;
  #calls = 0;
  kill: { readonly call: number; readonly isDone: boolean } | undefined;

  constructor(isOptedOut: (address: string) => boolean) {
    this.#isOptedOut = isOptedOut;
  }

  begin(kill: Server['kill']): void {
    this.#calls = 0;
    this.kill = kill;
  }

  client(): ServiceJob['client'] {
    return {
      retries: 0,
      makeTopics: async (topics) => [...topics.values()],
      sendOptOuts: async (body) => {
        const { rows } = JSON.parse(body) as { rows: readonly BroughtOptOut[] };
        return this.#met(() => {
          for (const { address, scope = 'all' } of rows)
            if (this.suppressed.get(address) !== 'all') this.suppressed.set(address, scope);
          return { added: 0, known: rows.length, failed: 0, errors: [] };
        });
      },
      send: async (body) => {
        const { rows } = JSON.parse(body) as { rows: readonly PersonRow[] };
        return this.#met(() => {
          for (const row of rows) this.#upsert(row);
          return { created: 0, updated: rows.length, failed: 0, errors: [] };
        });
      },
    };
  }

  #met<Result>(act: () => Result): Result {
    const isKilled = this.kill?.call === ++this.#calls;
    if (isKilled && this.kill?.isDone === false) throw new Killed();
    const result = act();
    this.#look();
    if (isKilled) throw new Killed();
    return result;
  }

  #upsert(row: PersonRow): void {
    const { externalUserId: id = '' } = row;
    const known = this.people.get(id);
    const devices = new Map(
      [...(known?.devices ?? []), ...(row.devices ?? [])].map((one) => [one.endpoint, one]),
    );
    const tags = { ...known?.tags, ...row.tags };
    const topics = { ...known?.topics, ...row.topics };
    this.people.set(id, { externalUserId: id, tags, topics, devices: [...devices.values()] });
  }

  #look(): void {
    for (const { devices = [] } of this.people.values())
      for (const { endpoint } of devices)
        if (this.#isOptedOut(endpoint) && !this.suppressed.has(endpoint))
          this.problems.push(`${endpoint} is reachable`);
  }
}

t.test('any kills and runs leave the same people, and nobody reachable who left', async (t) => {
  const parent = temporaryDirectory();
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 30 }),
      fc.array(fc.record({ call: fc.integer({ min: 1, max: 6 }), isDone: fc.boolean() }), {
        maxLength: 5,
      }),
      fc.integer({ min: 1, max: 4 }),
      async (lines, kills, copies) => {
        const directory = mkdtempSync(join(parent, 'import-'));
        const path = join(directory, 'subscribers.csv');
        // Long enough for several batches of opt-outs and of people.
        const many = Array.from({ length: copies * 700 }, (_, n) => ({
          email: `p${n}@example.com`,
          status: statuses[n % 3] ?? 'enabled',
          list: 'none' as const,
        }));
        const all: readonly Line[] = [...lines, ...many, ...lines.toReversed()];
        writeFileSync(path, csvOf(all));
        const left = new Set(
          all.filter(({ status }) => status !== 'enabled').map(({ email }) => email),
        );
        const target = { url: 'http://server', key: 'k', appId: 'app_1', directory };
        const run = (server: Server) =>
          importFrom('listmonk', [path], target, {
            client: server.client(),
            topics: { kind: 'create' },
          });

        const once = new Server((address) => left.has(address));
        await run(once);
        t.same(once.problems, []);
        const often = new Server((address) => left.has(address));
        for (const kill of [...kills, undefined]) {
          often.begin(kill);
          await run(often).catch((error) => {
            if (!(error instanceof Killed)) throw error;
          });
        }
        if (often.problems.length > 0) t.same(often.problems.slice(0, 3), []);
        if (!same(often, once)) t.same(contentOf(often), contentOf(once));
        t.equal(often.suppressed.size, left.size, 'every opt-out is there');
      },
    ),
    { numRuns: tries(25, 6) },
  );
});

t.test('a topic that somebody left in one line is left', async (t) => {
  const directory = temporaryDirectory();
  const path = join(directory, 'subscribers.csv');
  const [email = ''] = addresses;
  writeFileSync(path, csvOf([{ email, status: 'enabled', list: 'unsubscribed' }]));
  const server = new Server(() => false);
  await importFrom(
    'listmonk',
    [path],
    { url: 'x', key: 'k', appId: 'app_1', directory },
    {
      client: server.client(),
      topics: { kind: 'map', keys: new Map([['Tin tức', 'news']]) },
    },
  );
  t.same(server.people.get(email)?.topics, { news: 'out' });
  await t.rejects(
    importFrom(
      'listmonk',
      [path],
      { url: 'x', key: 'k', appId: 'app_1', directory },
      {
        client: server.client(),
        topics: { kind: 'map', keys: new Map() },
      },
    ),
    /Tin tức/,
    'a map that lacks a topic refuses the import',
  );
});

function csvOf(lines: readonly Line[]): string {
  const rows = lines.map(({ email, status, list }, n) => {
    const lists = list === 'none' ? [] : [{ name: 'Tin tức', subscription_status: list }];
    const attributes = JSON.stringify({ nth: n }).replaceAll('"', '""');
    return `${email},${status},"${attributes}","${JSON.stringify(lists).replaceAll('"', '""')}"`;
  });
  return `email,status,attributes,lists\n${rows.join('\n')}\n`;
}

function contentOf({ people, suppressed }: Server) {
  return { people: [...people].sort(), suppressed: [...suppressed].sort() };
}

function same(one: Server, other: Server): boolean {
  return JSON.stringify(contentOf(one)) === JSON.stringify(contentOf(other));
}

import t from 'tap';
import { clientsApplies } from '../../../../actors/tenants/clients/apply.ts';
import type { ClientsMemory } from '../../../../actors/tenants/clients/memory.ts';
import { type ClientRecord, everyMonth } from '../../../../actors/tenants/clients/records.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { utcMonthOf } from '../../../../engine/time/utc-month.ts';
import { partitionWithApp, testClock } from '../../../support/partition.ts';

const january = Date.UTC(2026, 0, 10);
const february = Date.UTC(2026, 1, 10);
const clientsMax = 10_000;
const idOf = (nth: number) => formatId('org', { ordinal: 0, atMs: 0, high16: 0, low32: nth });

/** Deleted in a month, which is also the newest that it reported. */
function deleted(nth: number, atMs: number): ClientRecord {
  return {
    id: idOf(nth),
    name: 'Gone',
    createdMs: atMs,
    closedMs: atMs,
    counter: 2,
    acknowledged: 2,
    ordinal: nth,
    reports: 1,
    through: everyMonth,
    months: [[utcMonthOf(atMs), { mau: 20_000, delivered: 5, included: 20_000 }]],
  };
}

function opened(clients: Map<string, ClientRecord>, closed: number | undefined): Set<string> {
  const billing = { invoiceCount: 0, detached: [], unpaid: [], events: [] };
  const org = { clients, billing: closed === undefined ? billing : { ...billing, closed } };
  const state = { orgs: new Map([[1, org]]) } as unknown as ClientsMemory;
  const { closedMs: _, ...client } = deleted(90_000, february);
  const before = new Set(clients.keys());
  clientsApplies['client.opened'](state, { kind: 'client.opened', owner: 1, client });
  return new Set([...before].filter((id) => !clients.has(id)));
}

const full = (...first: readonly ClientRecord[]) => {
  const rest = Array.from({ length: 2 * clientsMax - first.length }, (_, nth) => {
    const { closedMs: __, ...open } = deleted(1_000 + nth, january);
    return open;
  });
  return new Map([...first, ...rest].map((one) => [one.id, one]));
};

t.test('a deleted client is forgotten only once its months are on invoices', async (t) => {
  const closed = utcMonthOf(january);
  const gone = full(deleted(1, february), deleted(2, january), deleted(3, january));
  t.same(opened(gone, closed), new Set([idOf(2)]), 'the oldest whose months are invoiced');
  t.same(opened(full(deleted(1, january)), undefined), new Set(), 'nothing is invoiced yet');
  t.same(opened(full(deleted(1, january)), closed - 1), new Set());
  const unsettled = { ...deleted(1, january), through: closed };
  t.same(opened(full(unsettled), closed), new Set(), 'it has not reported its last figures');
});

t.test('clients that are deleted in their first month count against the limit', async (t) => {
  const clock = testClock(january);
  const { one, org } = await partitionWithApp({ clock });
  const plant = (nth: number, record: ClientRecord) =>
    one.product.state.orgs.get(org)?.clients.set(idOf(nth), record);
  const key = { id: 'key_1', keyId: 'key1', secretHash: new Uint8Array(32) };
  const open = () => one.ask(org, 'client.open', { clientId: idOf(70_000), name: 'Next', key });
  for (let nth = 1; nth <= clientsMax; nth++) plant(nth, deleted(nth, clock.nowMs));
  t.match(await open(), {
    ok: false,
    fault: {
      code: 'limit_reached',
      message:
        'an org has at most 10000 client workspaces; those that were created this month and deleted since count until the month ends (UTC)',
    },
  });
  plant(1, deleted(1, january - 20 * 86_400_000));
  t.match(await open(), { ok: true }, 'one of last month does not count');
  t.match(await open(), { ok: false });
  clock.nowMs = february;
  t.match(await open(), { ok: true }, 'the month is over');
});

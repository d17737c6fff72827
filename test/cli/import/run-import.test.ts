import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import t from 'tap';
import { limits } from '../../../actors/limits.ts';
import { batchBounds } from '../../../cli/import/batches.ts';
import { ImportClient } from '../../../cli/import/import-client.ts';
import type { PersonRow } from '../../../cli/import/person.ts';
import { type ImportStep, progressText } from '../../../cli/import/progress-text.ts';
import { type ImportJob, runImport } from '../../../cli/import/run-import.ts';
import { summaryText } from '../../../cli/import/summary.ts';
import { exportOf } from '../../../sandbox/endpoint-export.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';
import { encoded } from '../../support/code-pages.ts';
import { fileAt } from '../../support/places.ts';
import { everyNth } from '../../support/tries.ts';
import { type ImportServer, startImportServer, type Trouble } from '../support/import-server.ts';

const instant = { nowMs: () => 0, random: () => 0, wait: async () => undefined };

interface Setup {
  readonly lines: readonly string[];
  readonly server: ImportServer;
  readonly statePath: string;
  readonly errorsPath?: string;
  readonly includeOptOut?: boolean;
  readonly signal?: AbortSignal;
  readonly version?: string;
  readonly encoding?: string;
  readonly writtenIn?: string;
  readonly onStep?: (step: ImportStep) => void;
}

function job(setup: Setup): ImportJob {
  const { server, statePath, errorsPath, onStep } = setup;
  const signal = setup.signal ?? new AbortController().signal;
  const { encoding } = setup;
  const text = setup.lines.map((line) => `${line}\n`).join('');
  const bytes = gzipSync(encoded(text, setup.writtenIn ?? 'utf-8'));
  return {
    source: Readable.from([bytes]),
    sourceBytes: bytes.length,
    identity: {
      url: server.url,
      appId: 'app_1',
      includeOptOut: setup.includeOptOut ?? false,
      ...(encoding === undefined ? {} : { encoding }),
      version: setup.version ?? '1',
    },
    statePath,
    ...(errorsPath === undefined ? {} : { errorsPath }),
    ...(onStep === undefined ? {} : { onStep }),
    client: new ImportClient({ url: server.url, key: 'right', appId: 'app_1' }, signal, instant),
    signal,
  };
}

function place(): { readonly statePath: string; readonly errorsPath: string } {
  const directory = temporaryDirectory();
  return { statePath: join(directory, 'state.json'), errorsPath: join(directory, 'errors.jsonl') };
}

/** People with user ids only: those without one have no name to compare them by. */
function named(people: ReadonlyMap<string, PersonRow>): ReadonlyMap<string, PersonRow> {
  return new Map([...people].filter(([id]) => !id.startsWith('nobody ')).sort());
}

const gcm = (user: string, more: object = {}) =>
  JSON.stringify({ ChannelType: 'GCM', Address: `token-${user}`, User: { UserId: user }, ...more });
const many = Array.from({ length: 12_000 }, (_, i) =>
  gcm(`u${i}`, {
    Attributes: Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`t${n}`, ['x']])),
  }),
);

t.test('every line is in one place of the summary, and the sample has every kind', async (t) => {
  const server = await startImportServer(t);
  const lines = [...exportOf(240)];
  const { statePath, errorsPath } = place();
  const summary = await runImport(job({ lines, server, statePath, errorsPath }));
  t.match(summary, { complete: true, lines: lines.length, resumedAt: 0, retries: 0 });
  t.equal(summary.imported + summary.skipped.total, lines.length);
  const { reasons } = summary.skipped;
  t.equal(
    Object.values(reasons).reduce((sum, count) => sum + count, 0),
    summary.skipped.total,
  );
  t.same(Object.keys(reasons).sort(), [
    'address_invalid',
    'channel_adm',
    'channel_baidu',
    'channel_custom',
    'malformed_json',
  ]);
  t.equal(reasons.address_invalid, 10, 'only the addresses that are wrong on purpose');
  t.equal(summary.subscribers.created, server.people.size);
  const devices = [...server.people.values()].flatMap((row) => row.devices ?? []);
  t.equal(summary.devices.imported, devices.length);
  t.equal(new Set(devices.map((d) => `${d.channel} ${d.endpoint}`)).size, devices.length);
  const { leftOut, disabled } = summary.devices;
  t.ok((leftOut.opted_out ?? 0) > 0 && (leftOut.address_superseded ?? 0) > 0, 'both are met');
  t.equal(leftOut.address_missing, 10, 'people whose line has no address');
  t.ok((disabled.inactive ?? 0) > 0 && (disabled.voip ?? 0) > 0, 'both are met');
  t.equal(
    summary.imported,
    devices.length + (leftOut.opted_out ?? 0) + (leftOut.address_superseded ?? 0) + 10,
  );
  const problems = readFileSync(errorsPath, 'utf8').trim().split('\n');
  t.equal(problems.length, summary.skipped.total + 10);
  t.same(JSON.parse(problems[0] ?? ''), { line: 6, reason: 'channel_adm' });
  t.same(readdirSync(dirname(statePath)), ['errors.jsonl'], 'no state and no spool is left');
  t.match(summaryText(summary).join('\n'), /lines make up .* created.*\nLines skipped: 10 /);
});

t.test('the sample in the repository is what its script makes', async (t) => {
  const packed = readFileSync(fileAt('sandbox/sample-endpoints.jsonl.gz'));
  t.equal(gunzipSync(packed).toString(), [...exportOf(120)].map((line) => `${line}\n`).join(''));
  t.ok(packed.length < 100_000);
});

t.test('done twice it duplicates only the people without a user id', async (t) => {
  const server = await startImportServer(t);
  const lines = [...exportOf(60)];
  const first = await runImport(job({ lines, server, ...place() }));
  const before = named(server.people);
  const second = await runImport(job({ lines, server, ...place() }));
  t.same(named(server.people), before);
  t.equal(first.subscribers.updated, 0);
  t.equal(second.subscribers.created, second.withoutUserId);
});

t.test('with the opt-outs there are more devices, and no more people', async (t) => {
  const [without, within] = [await startImportServer(t), await startImportServer(t)];
  const lines = [...exportOf(60)];
  const a = await runImport(job({ lines, server: without, ...place() }));
  const b = await runImport(job({ lines, server: within, ...place(), includeOptOut: true }));
  t.equal(b.devices.imported, a.devices.imported + (a.devices.leftOut.opted_out ?? 0));
  t.equal(b.subscribers.created, a.subscribers.created);
});

t.test(
  'bodies are within the bounds of the server, and lines of a person in one of them',
  async (t) => {
    const server = await startImportServer(t);
    const lines = [...many, ...many.slice(0, 100)];
    const summary = await runImport(job({ lines, server, ...place() }));
    t.match(summary, { imported: 12_100, subscribers: { created: 12_000, updated: 0 } });
    t.ok(server.bodies.length > 4);
    for (const body of server.bodies) {
      t.ok(Buffer.byteLength(body) < limits.bodyBytesMax);
      t.ok((JSON.parse(body) as { rows: object[] }).rows.length <= batchBounds.rows);
    }
  },
);

t.test('an import that ends at any call goes on there, and comes to the same', async (t) => {
  const whole = await startImportServer(t);
  const lines = [...many, gcm('refused'), '{"torn'];
  const expected = await runImport(job({ lines, server: whole, ...place() }));
  const calls = whole.calls();
  for (let at = 1; at <= calls; at += 3 * everyNth(6)) {
    let trouble: Trouble = { status: 500 };
    const server = await startImportServer(t, (call) => (call >= at ? trouble : 'none'));
    const { statePath, errorsPath } = place();
    const setup = { lines, server, statePath, errorsPath };
    await t.rejects(runImport(job(setup)), /rejected the import/);
    const kept = existsSync(statePath)
      ? (JSON.parse(readFileSync(statePath, 'utf8')) as { rows: number; errorsBytes: number })
      : { rows: 0, errorsBytes: 0 };
    // The one who was refused counts as a row and is nobody.
    t.ok(kept.rows <= server.people.size + 1, 'it never claims more than was acknowledged');
    // What a crash leaves after the promised length must not stay.
    if (at > 1) writeFileSync(errorsPath, `${readFileSync(errorsPath, 'utf8')}{"half`);
    trouble = 'none';
    const summary = await runImport(job(setup));
    t.equal(summary.resumedAt, kept.rows);
    t.same(summary.skipped, expected.skipped);
    t.equal(summary.subscribers.failed, 1);
    t.equal(summary.subscribers.created + summary.subscribers.updated, 12_000);
    t.same(named(server.people), named(whole.people));
    const problems = readFileSync(errorsPath, 'utf8').trim().split('\n');
    t.same(problems.map((line) => (JSON.parse(line) as { reason: string }).reason).sort(), [
      'malformed_json',
      'refused',
    ]);
    t.notOk(existsSync(statePath));
  }
});

t.test('a stop lets what is out finish, and says that it is not complete', async (t) => {
  const stop = new AbortController();
  const server = await startImportServer(t, (call) => {
    if (call === 2) stop.abort();
    return 'none';
  });
  const { statePath } = place();
  const summary = await runImport(job({ lines: many, server, statePath, signal: stop.signal }));
  t.equal(summary.complete, false);
  t.equal(summary.subscribers.created, server.people.size);
  t.ok(server.people.size < 12_000);
  const rest = await runImport(job({ lines: many, server, statePath }));
  t.match(rest, { complete: true, resumedAt: summary.subscribers.created });
  t.same(rest.subscribers, { created: 12_000, updated: 0, failed: 0 });
});

t.test('the state of anything else is refused, with what is different', async (t) => {
  const { statePath } = place();
  const server = await startImportServer(t, (call) => (call > 4 ? { status: 500 } : 'none'));
  const setup = { lines: many, server, statePath };
  await t.rejects(runImport(job(setup)));
  t.ok(existsSync(statePath));
  const calls = server.calls();
  await t.rejects(
    runImport(job({ ...setup, lines: [...many, gcm('more')] })),
    /the file's contents/,
  );
  await t.rejects(runImport(job({ ...setup, includeOptOut: true })), /--include-optout/);
  await t.rejects(runImport(job({ ...setup, encoding: 'windows-1252' })), /--encoding/);
  await t.rejects(runImport(job({ ...setup, version: '2' })), /version of Engage/);
  t.equal(server.calls(), calls, 'nothing was sent');
  for (const text of [
    '',
    'null',
    '{}',
    '{"format":1,"rows":3,"created":1,"updated":1,"failed":0}',
  ]) {
    writeFileSync(statePath, text);
    await t.rejects(runImport(job(setup)), /is not an import state file/);
  }
});

t.test('whose only address is bad or opted out is created without it, once', async (t) => {
  const server = await startImportServer(t);
  const line = (user: string, Address: string, OptOut = 'NONE') =>
    JSON.stringify({ ChannelType: 'EMAIL', Address, OptOut, User: { UserId: user } });
  const lines = [line('bad', 'nobody'), line('out', 'a@example.com', 'ALL'), line('bad', '')];
  const { statePath, errorsPath } = place();
  for (const created of [2, 0]) {
    const summary = await runImport(job({ lines, server, statePath, errorsPath }));
    t.match(summary, {
      imported: 3,
      skipped: { total: 0 },
      subscribers: { created, updated: 2 - created, failed: 0 },
      devices: { imported: 0, leftOut: { address_invalid: 1, address_missing: 1, opted_out: 1 } },
    });
    t.match(summaryText(summary), [/3 of 3 lines make up 2 subscribers/, /1 address_invalid/]);
  }
  t.same(named(server.people).get('bad'), { externalUserId: 'bad' });
  t.same(
    readFileSync(errorsPath, 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text)),
    [
      { line: 1, reason: 'address_invalid' },
      { line: 3, reason: 'address_missing' },
    ],
  );
});

t.test('an export in a code page is refused until its encoding is named', async (t) => {
  const name = 'สมชาย';
  const lines = [gcm('a'), gcm('b', { Attributes: { name: [name] } })];
  for (const writtenIn of ['windows-874', 'utf-16le', 'utf-16be']) {
    const server = await startImportServer(t);
    const setup = { lines, server, writtenIn, ...place() };
    if (writtenIn === 'windows-874')
      await t.rejects(runImport(job(setup)), {
        message: /^line 2 is not UTF-8\. Nothing was imported\. Name the encoding of the file/,
      });
    await t.rejects(runImport(job({ ...setup, encoding: 'euc-kr' })), /Nothing was imported/);
    t.equal(server.calls(), 0, 'nothing was sent');
    await runImport(job(writtenIn === 'windows-874' ? { ...setup, encoding: writtenIn } : setup));
    t.match(server.people.get('b'), { tags: { name } }, writtenIn);
  }
  const server = await startImportServer(t);
  const skipping = { lines, server, writtenIn: 'windows-874', encoding: 'utf-8', ...place() };
  t.match(await runImport(job(skipping)), { imported: 1, skipped: { reasons: { not_utf8: 1 } } });
});

t.test('nothing is sent of an export that is not whole', async (t) => {
  const server = await startImportServer(t);
  const torn = gzipSync(many.join('\n')).subarray(0, 10_000);
  const setup = job({ lines: [], server, ...place() });
  await t.rejects(runImport({ ...setup, source: Readable.from([torn]) }), /is incomplete/);
  t.equal(server.calls(), 0);
});

t.test('progress is a bar where there is a terminal, and a plain line elsewhere', async (t) => {
  const server = await startImportServer(t);
  const steps: ImportStep[] = [];
  await runImport(job({ lines: many, server, ...place(), onStep: (step) => steps.push(step) }));
  t.equal(steps[0]?.step, 'reading');
  t.match(steps.at(-1), { step: 'sending', lines: 12_000, of: 12_000, subscribers: 12_000 });
  t.equal(
    progressText({ step: 'sending', lines: 1500, of: 3000, subscribers: 1200 }, true),
    'sending [###############...............]  50 %  1,500 of 3,000 lines, 1,200 subscribers',
  );
  t.equal(
    progressText({ step: 'reading', bytes: 2_000_000, lines: 1500 }, false),
    'reading  1,500 lines, 2.0 MB',
  );
});

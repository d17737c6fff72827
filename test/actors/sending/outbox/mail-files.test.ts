// Files of mails: one copy for all that cross to a dispatch thread, kept as long as a send needs
// them and no longer, and never so many in flight that memory ends. Copies skip who opted out.

import t from 'tap';
import type { MailParts, RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import { mustWaitForFiles } from '../../../../actors/sending/outbox/mail-files.ts';
import type { GrantedAttempt } from '../../../../actors/sending/outbox/protocol.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';

const hash = 'h'.repeat(43);
const bytes = Buffer.alloc(1_500_000, 'x');
const file = { filename: 'a.txt', contentType: 'text/plain', bytes: bytes.length, hash };
const mail: MailParts = { attachments: [file] };

async function scene() {
  const { one, app } = await partitionWithApp();
  for (const name of ['ana', 'bob'])
    await one.value(app, 'subscriber.upsert', {
      subscriber: {
        externalUserId: name,
        devices: [{ channel: 'email', endpoint: `${name}@example.com` }],
      },
    });
  const keep = () => one.value(app, 'file.keep', { hash }, { bytes: Buffer.from(bytes) });
  const send = (name: string, parts: MailParts = mail) =>
    one.ask(app, 'transactional.accept', {
      request: { to: { externalUserId: name }, title: 'T', body: 'B', mail: parts },
      claim: null,
    });
  return { one, app, keep, send };
}

const granted = (one: TestPartition): readonly GrantedAttempt[] =>
  one.takeGrants().flatMap(({ attempts }) => attempts);

async function settleAll(one: TestPartition, app: number, attempts: readonly GrantedAttempt[]) {
  const reports = attempts.map(({ target, attempt }) => ({
    sendId: attempt.sendId,
    target,
    attempt: attempt.attempt,
    outcome: { outcome: 'accepted' } as const,
  }));
  await one.value(app, 'dispatch.report', { channel: 'email', reports });
}

t.test('mails with one file share its bytes', async (t) => {
  const { one, keep, send } = await scene();
  await keep();
  await send('ana');
  await send('bob');
  const files = granted(one).map(({ attempt }) => attempt.files?.[hash]);
  t.equal(files.length, 2);
  t.ok(files[0]?.buffer instanceof SharedArrayBuffer);
  t.equal(files[0]?.buffer, files[1]?.buffer);
  t.ok(Buffer.from(files[0] ?? []).equals(bytes));
});

t.test('a send with a file that is not kept is refused', async (t) => {
  const { one, send } = await scene();
  t.match(await send('ana'), { ok: false, fault: { code: 'not_started' } });
  t.same(granted(one), []);
});

t.test('a file goes with the retention of the newest send that has it', async (t) => {
  const { one, app, keep, send } = await scene();
  const state = () => one.product.state.apps.get(app);
  await keep();
  await keep();
  t.match(state(), { fileCount: 1, fileBytes: bytes.length });
  await send('ana');
  await settleAll(one, app, granted(one));
  await one.advance(60 * dayMs);
  await keep();
  await send('bob');
  await settleAll(one, app, granted(one));
  await one.advance(60 * dayMs);
  await one.advance(2 * hourMs);
  t.match(state(), { fileCount: 1 }, 'the newer send is kept');
  await one.advance(31 * dayMs);
  await one.advance(2 * hourMs);
  t.match(state(), { fileCount: 0, fileBytes: 0 });
  const two = new TestPartition({ clock: one.clock, store: one.store.crash(), rng: seededRng(2) });
  t.match(two.product.state.apps.get(app), { fileCount: 0, fileBytes: 0 });
});

t.test('what a kill left without a send goes, too', async (t) => {
  const { one, app, keep } = await scene();
  await keep();
  const two = new TestPartition({ clock: one.clock, store: one.store.crash(), rng: seededRng(2) });
  t.match(two.product.state.apps.get(app), { fileCount: 1 });
  await two.advance(92 * dayMs);
  await two.advance(2 * hourMs);
  t.match(two.product.state.apps.get(app), { fileCount: 0 });
});

t.test('an open send keeps its file, however old it is', async (t) => {
  const { one, app, keep, send } = await scene();
  await keep();
  await send('ana');
  t.equal(granted(one).length, 1);
  await one.advance(92 * dayMs);
  await one.advance(2 * hourMs);
  t.match(one.product.state.apps.get(app), { fileCount: 1 }, 'it is still in flight');
});

t.test('copies skip addresses that opted out of everything', async (t) => {
  const { one, app, send } = await scene();
  for (const [address, scope] of [
    ['Gone@example.com', 'all'],
    ['news@example.com', 'marketing'],
  ] as const)
    await one.value(app, 'suppression.add', { channel: 'email', address, scope } as never);
  await send('ana', {
    cc: ['gone@example.com', 'news@example.com'],
    bcc: ['gone@example.com', 'boss@example.com'],
  });
  t.match(granted(one)[0]?.attempt.content?.mail, {
    cc: ['news@example.com'],
    bcc: ['boss@example.com'],
  });
});

t.test('mails with large files wait for those in flight', async (t) => {
  const of = (size: number): RenderedContent => ({
    body: '',
    options: {},
    mail: { attachments: [{ ...file, bytes: size }] },
  });
  const ten = 10 * 1_048_576;
  t.equal(mustWaitForFiles(of(ten), 0), false);
  t.equal(mustWaitForFiles(of(ten), 5), false);
  t.equal(mustWaitForFiles(of(ten), 6), true);
  t.equal(mustWaitForFiles(of(1_000_000), 63), false);
  t.equal(mustWaitForFiles({ body: '', options: {} }, 1_000_000), false);
});

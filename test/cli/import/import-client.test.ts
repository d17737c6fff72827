import t from 'tap';
import {
  askedWaitMs,
  ImportClient,
  ImportRefused,
  type Pace,
  ServerUnavailable,
} from '../../../cli/import/import-client.ts';
import { inOrder } from '../../../cli/import/in-order.ts';
import { closedPort, startImportServer } from '../support/import-server.ts';

const triesMax = 25;

/** A clock that jumps, and says what was waited. */
function fakePace(): Pace & { readonly waits: number[] } {
  let nowMs = 0;
  const waits: number[] = [];
  return {
    waits,
    nowMs: () => nowMs,
    random: () => 0,
    wait: async (ms, signal) => {
      signal.throwIfAborted();
      waits.push(ms);
      nowMs += ms;
    },
  };
}

const body = JSON.stringify({ appId: 'app_1', rows: [{ externalUserId: 'ada' }] });
const running = new AbortController().signal;

function client(url: string, pace = fakePace(), signal = running) {
  return new ImportClient({ url, key: 'right', appId: 'app_1' }, signal, pace);
}

t.test('what passes is tried again with growing waits, and then counts once', async (t) => {
  const troubles = [
    { status: 503 },
    'reset',
    'reset-after',
    { status: 502, body: '<html>' },
    { status: 504 },
  ] as const;
  const server = await startImportServer(t, (call) => troubles[call - 1] ?? 'none');
  const pace = fakePace();
  const sender = client(server.url, pace);
  t.same(await sender.send(body, 1), { created: 0, updated: 1, failed: 0, errors: [] });
  t.equal(sender.retries, 5);
  t.same(pace.waits, [125, 250, 500, 1000, 2000]);
  t.equal(server.people.size, 1);
});

t.test('Retry-After holds back every call, not only the refused one', async (t) => {
  const server = await startImportServer(t, (call) =>
    call === 1 ? { status: 429, headers: { 'retry-after': '7' } } : 'none',
  );
  const pace = fakePace();
  const sender = client(server.url, pace);
  await sender.send(body, 1);
  t.same(pace.waits, [7000]);
  await sender.send(body, 1);
  t.same(pace.waits, [7000]);
  t.equal(askedWaitMs(null), undefined);
  t.equal(askedWaitMs('never'), undefined);
  t.equal(askedWaitMs('999999'), 300_000);
  t.equal(askedWaitMs('Thu, 01 Jan 1970 00:00:00 GMT'), 0);
});

t.test('what will not pass is refused at once, with the words of the server', async (t) => {
  for (const [status, pattern] of [
    [400, /rejected the import: rows: wrong \(status 400\)/],
    [403, /rejected the import/],
    [404, /has no app app_1 for this key/],
    [413, /rejected the import/],
    [500, /rejected the import/],
    [507, /rejected the import/],
  ] as const) {
    const server = await startImportServer(t, () => ({ status, body: '{"error":"rows: wrong"}' }));
    await t.rejects(client(server.url).send(body, 1), { name: 'ImportRefused', message: pattern });
    t.equal(server.calls(), 1, String(status));
  }
});

t.test('an answer that is no result of these rows is not believed', async (t) => {
  const answers = ['', 'ok', '{}', '{"created":5,"updated":0,"failed":0,"errors":[]}', 'null'];
  for (const answer of answers) {
    const server = await startImportServer(t, () => ({ status: 200, body: answer }));
    await t.rejects(client(server.url).send(body, 1), ImportRefused, answer);
  }
});

t.test('a server that stays away ends the tries with a sentence', async (t) => {
  const server = await startImportServer(t, () => 'reset');
  await t.rejects(client(server.url).send(body, 1), {
    name: 'ServerUnavailable',
    message: /did not accept a batch in 25 attempts: /,
  });
  t.equal(server.calls(), triesMax);
  await t.rejects(client(`http://127.0.0.1:${await closedPort()}`).checkApp(), {
    name: 'ServerUnavailable',
    message: /no server responds at .* \(ECONNREFUSED\)/,
  });
});

t.test('a wrong key or app shows before anything is sent', async (t) => {
  const server = await startImportServer(t);
  await client(server.url).checkApp();
  const wrong = (key: string, appId: string) =>
    new ImportClient({ url: server.url, key, appId }, running).checkApp();
  await t.rejects(wrong('wrong', 'app_1'), /rejected the key/);
  await t.rejects(wrong('right', 'app_2'), /has no app app_2/);
});

t.test('a stop ends the wait for the next try', async (t) => {
  const stop = new AbortController();
  const server = await startImportServer(t, () => {
    stop.abort();
    return { status: 503 };
  });
  await t.rejects(client(server.url, fakePace(), stop.signal).send(body, 1), ServerUnavailable);
  t.equal(server.calls(), 1);
});

t.test('results come in order, so many at a time, up to the first failure', async (t) => {
  const finish = new Map<number, (failed: boolean) => void>();
  const reported: number[] = [];
  let started = 0;
  const run = inOrder(
    [0, 1, 2, 3, 4, 5],
    3,
    (item) => {
      started++;
      return new Promise<number>((resolve, reject) => {
        finish.set(item, (failed) => (failed ? reject(new Error(`no ${item}`)) : resolve(item)));
      });
    },
    (item, result) => {
      t.equal(item, result);
      reported.push(item);
    },
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  t.equal(started, 3);
  finish.get(2)?.(false);
  finish.get(1)?.(false);
  await turn();
  t.same(reported, []);
  finish.get(0)?.(false);
  await turn();
  t.same(reported, [0, 1, 2]);
  t.equal(started, 6, 'each that was reported makes room for one');
  finish.get(3)?.(true);
  finish.get(4)?.(false);
  finish.get(5)?.(false);
  await t.rejects(run, /no 3/);
  t.same(reported, [0, 1, 2]);
});

// The admin socket's protocol: one request a connection, progress in between, and a sentence for
// whatever is wrong.

import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { adminAddress } from '../../../http/process/admin-address.ts';
import { type LineJob, type PerformLine, serveLines } from '../../../http/process/admin-lines.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';

/** Every line of the answer to what is sent. */
function ask(path: string, sent: string): Promise<unknown[]> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('error', reject);
    socket.on('close', () =>
      resolve(
        text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line) as unknown),
      ),
    );
    socket.write(sent);
  });
}

const echo: PerformLine = async (request, job) => {
  job.progress('half way');
  return { request };
};

t.test('a request gets its progress and then its result', async (t) => {
  const path = join(temporaryDirectory(), 'admin.sock');
  const server = await serveLines(path, echo);
  t.same(await ask(path, '{"command":"x"}\n'), [
    { progress: 'half way' },
    { result: { request: { command: 'x' } } },
  ]);
  await server.close();
  t.notOk(existsSync(path), 'closing removes it');
});

t.test('only its owner may use the socket, whatever the umask is', async (t) => {
  const path = join(temporaryDirectory(), 'admin.sock');
  const before = process.umask(0);
  const server = await serveLines(path, echo);
  t.equal(process.umask(before), 0, 'the umask is as it was');
  t.equal(statSync(path).mode & 0o777, 0o600);
  await server.close();
});

t.test(
  'a fault is a sentence, and what is not JSON reaches the performer as nothing',
  async (t) => {
    const path = join(temporaryDirectory(), 'admin.sock');
    const server = await serveLines(path, async (request) => {
      throw new Error(request === undefined ? 'that is not JSON.' : 'no such thing.');
    });
    t.same(await ask(path, '{}\n'), [{ error: 'no such thing.' }]);
    t.same(await ask(path, '{"\n'), [{ error: 'that is not JSON.' }]);
    await server.close();
  },
);

t.test('an endless request is cut off', async (t) => {
  const path = join(temporaryDirectory(), 'admin.sock');
  const server = await serveLines(path, echo);
  const answer = await ask(path, 'x'.repeat(200_000)).catch(
    (error: NodeJS.ErrnoException) => error.code,
  );
  t.match(String(answer), /^$|EPIPE|ECONNRESET/);
  await server.close();
});

t.test('what is asked for is told when the asker goes, and when the server closes', async (t) => {
  const path = join(temporaryDirectory(), 'admin.sock');
  let job: LineJob | undefined;
  const started: (() => void)[] = [];
  const server = await serveLines(path, (_request, given) => {
    job = given;
    for (const tell of started.splice(0)) tell();
    return new Promise((resolve) => given.signal.addEventListener('abort', () => resolve(null)));
  });
  const begins = () => new Promise<void>((resolve) => started.push(resolve));

  const first = createConnection(path);
  const begun = begins();
  first.write('{}\n');
  await begun;
  first.destroy();
  await new Promise<void>((resolve) => job?.signal.addEventListener('abort', () => resolve()));
  t.ok(job?.signal.aborted);

  const again = begins();
  const second = createConnection(path);
  second.on('error', () => undefined);
  second.write('{}\n');
  await again;
  await server.close();
  t.ok(job?.signal.aborted);
});

t.test('a socket that a dead server left is taken over', async (t) => {
  const path = join(temporaryDirectory(), 'admin.sock');
  writeFileSync(path, '');
  chmodSync(path, 0o644);
  const server = await serveLines(path, echo);
  t.equal((await ask(path, '1\n')).length, 2);
  await server.close();
});

t.test('a directory with a long path has its socket all the same', async (t) => {
  const dataDir = join(temporaryDirectory(), 'd'.repeat(120));
  mkdirSync(dataDir);
  const here = adminAddress(dataDir);
  const server = await serveLines(here.path, echo);
  t.ok(existsSync(join(dataDir, 'admin.sock')));
  const there = adminAddress(dataDir);
  t.equal((await ask(there.path, '1\n')).length, 2);
  there.release();
  await server.close();
  here.release();
  t.notOk(existsSync(join(dataDir, 'admin.sock')));
});

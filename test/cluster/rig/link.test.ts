import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import { Link } from './link.ts';

interface Ends {
  readonly link: Link;
  /** The accepted side behind the link. */
  readonly served: Socket;
  readonly caller: Socket;
  call(): Promise<{ readonly caller: Socket; readonly served: Socket }>;
}

async function endsOf(t: Test, callerOf?: () => string): Promise<Ends> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const link = await Link.open({ to: () => port, ...(callerOf !== undefined && { callerOf }) });
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    await link.close();
    server.close();
  });
  const call = async () => {
    const accepted = once(server, 'connection');
    const caller = connect(link.port, '127.0.0.1').on('error', () => {});
    sockets.push(caller);
    const [served] = (await accepted) as [Socket];
    sockets.push(served);
    return { caller, served };
  };
  return { link, call, ...(await call()) };
}

async function textFrom(socket: Socket, length: number): Promise<string> {
  let text = '';
  for await (const [bytes] of onData(socket)) {
    text += String(bytes);
    if (text.length >= length) break;
  }
  return text;
}

async function* onData(socket: Socket): AsyncGenerator<unknown[]> {
  for (;;) yield await once(socket, 'data');
}

/** `once` would reject where the end is an error. */
function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve));
}

/** Whatever was on its way within this process has arrived. */
async function settled(): Promise<void> {
  for (let turns = 0; turns < 50; turns++) await new Promise((resolve) => setImmediate(resolve));
}

t.test('bytes pass both ways, and the end of a stream does', async (t) => {
  const { caller, served } = await endsOf(t);
  caller.write('question');
  t.equal(await textFrom(served, 8), 'question');
  served.write('answer');
  t.equal(await textFrom(caller, 6), 'answer');
  const ended = once(served, 'end');
  caller.end();
  served.resume();
  await ended;
  t.pass('the other side hears the end');
});

t.test('a cut resets both ends, and whoever connects until it is healed', async (t) => {
  const { link, caller, served, call } = await endsOf(t);
  const ends = [closed(caller), closed(served)];
  link.way().cut();
  await Promise.all(ends);
  const refused = connect(link.port, '127.0.0.1').on('error', () => {});
  await closed(refused);
  link.way().heal();
  const again = await call();
  again.caller.write('back');
  t.equal(await textFrom(again.served, 4), 'back');
});

t.test('a held direction gives nothing and then everything in order', async (t) => {
  const { link, caller, served } = await endsOf(t);
  let heard = '';
  served.on('data', (bytes) => (heard += String(bytes)));
  link.way().hold('forth');
  caller.write('one ');
  caller.write('two ');
  await settled();
  served.write('still');
  t.equal(await textFrom(caller, 5), 'still', 'the other direction is open');
  t.equal(heard, '');
  link.way().heal();
  caller.write('three');
  while (heard.length < 13) await once(served, 'data');
  t.equal(heard, 'one two three');
});

t.test('a held sender of much is stopped, and nothing of it is lost', async (t) => {
  const { link, caller, served } = await endsOf(t);
  link.way().hold();
  const much = Buffer.alloc(8 * 1024 * 1024, 'x');
  const isWritten = new Promise((resolve) => caller.write(much, resolve));
  await settled();
  t.ok(caller.bytesWritten >= much.length && caller.writableNeedDrain, 'it waits');
  let bytes = 0;
  served.on('data', (some) => (bytes += some.length));
  link.way().heal();
  await isWritten;
  while (bytes < much.length) await once(served, 'data');
  t.equal(bytes, much.length);
});

t.test('a delay is waited for', async (t) => {
  const { link, caller, served } = await endsOf(t);
  link.way().delay(30);
  const from = performance.now();
  caller.write('later');
  await textFrom(served, 5);
  t.ok(performance.now() - from >= 29);
});

t.test('a rule holds the bytes it finds, and those behind them', async (t) => {
  const { link, caller, served } = await endsOf(t);
  let heard = '';
  served.on('data', (bytes) => (heard += String(bytes)));
  link.way().rule = (bytes) => (bytes.includes('ACK') ? 'hold' : 'pass');
  caller.write('PUB');
  while (heard.length < 3) await once(served, 'data');
  caller.write('ACK');
  await settled();
  caller.write('MORE');
  await settled();
  t.equal(heard, 'PUB');
  link.way().heal();
  while (heard.length < 10) await once(served, 'data');
  t.equal(heard, 'PUBACKMORE');
  link.way().rule = () => 'cut';
  const end = closed(served);
  caller.write('end');
  await end;
});

t.test('each caller has a way of its own', async (t) => {
  const names = ['first', 'second', 'first'];
  const { link, caller, call } = await endsOf(t, () => names.shift() ?? '');
  const second = await call();
  const end = closed(caller);
  link.way('first').cut();
  await end;
  second.caller.write('here');
  t.equal(await textFrom(second.served, 4), 'here');
  t.equal(link.way('second').connections, 1);
});

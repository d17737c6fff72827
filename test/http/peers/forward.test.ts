// Requests that arrive at a server that does not own what they are for: streamed both ways, ended
// by either side, refused, held, and never done twice.

import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import t, { type Test } from 'tap';
import { request } from 'undici';
import type { HttpHandler } from '../../../http/server/exchange.ts';
import { appOf, hearAll, type Node, startNode } from './support/nodes.ts';

const partition = 2;
const path = `/v1/apps/${appOf(partition)}/things`;

/** Answers who served it. */
function naming(name: string, counts: Map<string, number> = new Map()): HttpHandler {
  return (request, response) => (body) => {
    counts.set(name, (counts.get(name) ?? 0) + 1);
    const { method, path, query, remoteAddress } = request;
    const said = { name, method, path, query, remoteAddress, headers: request.headers() };
    response.send(200, [], JSON.stringify({ ...said, bytes: body.byteLength }));
  };
}

async function pair(t: Test, ofOwner: HttpHandler): Promise<readonly [Node, Node]> {
  const nodes = await Promise.all([
    startNode(t, { name: 'near', handler: naming('near') }),
    startNode(t, { name: 'owner', handler: ofOwner }),
  ]);
  const [near, owner] = nodes;
  hearAll(nodes, [{ partition, owner }]);
  return [near, owner];
}

interface Said {
  readonly name: string;
  readonly remoteAddress: string;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string>>;
}

const saidBy = async (url: string, options: Parameters<typeof request>[1] = {}) => {
  const { statusCode, body, headers } = await request(url, options);
  const text = await body.text();
  return { statusCode, headers, said: JSON.parse(text) as Said & { readonly code?: string } };
};

t.test('a request is served by its owner, wherever it arrives', async (t) => {
  const [near, owner] = await pair(t, naming('owner'));
  const [far, here] = [await saidBy(`${near.url}${path}?a=1`), await saidBy(`${owner.url}${path}`)];
  t.equal(far.said.name, 'owner');
  t.equal(here.said.name, 'owner');
  t.equal(near.forwarding.figures.forwarded, 1);
  t.equal(owner.forwarding.figures.forwarded, 0, 'the owner serves its own itself');
});

t.test('what names nobody, and files and pages, are served where they arrive', async (t) => {
  const [near] = await pair(t, naming('owner'));
  for (const anywhere of ['/docs', '/healthz', '/v1/session', `/dashboard/${appOf(partition)}`])
    t.equal((await saidBy(`${near.url}${anywhere}`)).said.name, 'near', anywhere);
});

t.test("the owner sees the client's address, and nobody can write one", async (t) => {
  const [near, owner] = await pair(t, naming('owner'));
  const headers = {
    'x-engage-forwarded': `${partition} 6.6.6.6`,
    'x-forwarded-for': '9.9.9.9',
    connection: 'close, x-for-one-hop',
    'x-for-one-hop': 'yes',
  };
  const said = async (url: string) =>
    JSON.parse(
      await new Promise<string>((resolve, reject) => {
        get(`${url}${path}`, { headers }, (response) => {
          text(response).then(resolve, reject);
        });
      }),
    ) as Said;
  const forwarded = await said(near.url);
  t.equal(forwarded.name, 'owner');
  t.equal(forwarded.remoteAddress, '127.0.0.1');
  t.equal(forwarded.headers['x-engage-forwarded'], undefined);
  t.equal(forwarded.headers['x-forwarded-for'], '9.9.9.9');
  t.equal(forwarded.headers['x-for-one-hop'], undefined);
  const direct = await said(owner.url);
  t.equal(direct.remoteAddress, '127.0.0.1', 'the public port does not believe it');
});

t.test('as many headers as a server takes reach the owner', async (t) => {
  const [near] = await pair(t, naming('owner'));
  const names = Array.from({ length: 94 }, (_, index) => `x-header-${index}`);
  const headers = Object.fromEntries(names.map((name) => [name, 'v'.repeat(60)]));
  const { statusCode, said } = await saidBy(`${near.url}${path}`, { headers });
  t.equal(statusCode, 200);
  t.equal(said.name, 'owner');
  t.equal(Object.keys(said.headers).filter((name) => name.startsWith('x-header-')).length, 94);
});

t.test('a large body goes to the owner whole', async (t) => {
  const nodes = [
    await startNode(t, { name: 'near', handler: naming('near'), bodyBytesMax: 8_388_608 }),
    await startNode(t, {
      name: 'owner',
      handler: (request, response) => {
        response.bodyBytesMax = 8_388_608;
        return naming('owner')(request, response);
      },
    }),
  ] as const;
  hearAll(nodes, [{ partition, owner: nodes[1] }]);
  const body = Buffer.alloc(5_000_000, 'x');
  const { said } = await saidBy(`${nodes[0].url}${path}`, { method: 'POST', body });
  t.equal(said.name, 'owner');
  t.equal(said.bytes, body.byteLength);
});

t.test('an answer of unknown length is streamed as it comes', async (t) => {
  let more = (): void => undefined;
  const [near] = await pair(t, (_request, response) => () => {
    response.begin(200, [['content-type', 'text/event-stream']]);
    response.write('one\n');
    more = () => {
      response.write('two\n');
      response.end();
    };
  });
  const { body, headers } = await request(`${near.url}${path}`);
  t.equal(headers['content-type'], 'text/event-stream');
  const pieces: string[] = [];
  for await (const piece of body as AsyncIterable<Buffer>) {
    pieces.push(piece.toString());
    if (pieces.length === 1) more();
  }
  t.strictSame(pieces, ['one\n', 'two\n'], 'the first came before there was a second');
});

t.test('the owner hears of a client that goes away', async (t) => {
  let gone = (): void => undefined;
  const isGone = new Promise<void>((resolve) => {
    gone = resolve;
  });
  const [near] = await pair(t, (_request, response) => () => {
    response.begin(200, []);
    response.onAborted(gone);
    response.write('one');
  });
  const { body } = await request(`${near.url}${path}`);
  body.once('error', () => undefined);
  body.once('data', () => body.destroy());
  await isGone;
  t.pass('the owner stopped');
});

t.test('half an answer of an owner that dies does not look whole', async (t) => {
  const [near, owner] = await pair(t, (_request, response) => () => {
    response.begin(200, []);
    response.write('half');
  });
  const { body } = await request(`${near.url}${path}`);
  body.once('data', () => void owner.dies());
  await t.rejects(body.text());
});

t.test('an owner that dies before it answers is not asked again', async (t) => {
  let owner: Node | undefined;
  let calls = 0;
  const [near, made] = await pair(t, () => () => {
    calls++;
    void owner?.dies();
  });
  owner = made;
  const { statusCode, said } = await saidBy(`${near.url}${path}`, { method: 'POST', body: '{}' });
  t.equal(statusCode, 504);
  t.equal(said.code, 'unanswered');
  t.equal(calls, 1);
});

t.test('a wrong guess is not forwarded again, and is put right by news', async (t) => {
  const counts = new Map<string, number>();
  const handlerOf = (name: string) => ({ name, handler: naming(name, counts) });
  const nodes = await Promise.all(
    ['near', 'former', 'owner'].map((name) => startNode(t, handlerOf(name))),
  );
  const [near, former, owner] = nodes as [Node, Node, Node];
  near.hears([{ partition, owner: former }]);
  // It knows another owner, but must not send a request on that was sent to it.
  former.hears([{ partition, owner, term: 2 }]);
  owner.hears([{ partition, owner, term: 2 }]);
  const asked = saidBy(`${near.url}${path}`);
  while (near.forwarding.held.count === 0) await new Promise((next) => setImmediate(next));
  near.hears([{ partition, owner, term: 2 }]);
  const { statusCode, said } = await asked;
  t.equal(statusCode, 200);
  t.equal(said.name, 'owner');
  t.strictSame([...counts], [['owner', 1]]);
  t.equal(near.forwarding.figures.misdirected, 1);
});

t.test('a request whose owner cannot be reached waits for the next', async (t) => {
  const [near, owner] = await pair(t, naming('owner'));
  await owner.dies();
  const asked = saidBy(`${near.url}${path}`);
  while (near.forwarding.held.count === 0) await new Promise((next) => setImmediate(next));
  near.hears([{ partition, owner: near, term: 2 }]);
  t.equal((await asked).said.name, 'near', 'which may be the server where it arrived');
});

t.test('requests of a partition that moves wait, with their bodies', async (t) => {
  const [near, owner] = await pair(t, naming('owner'));
  near.hears([{ partition, owner: near, term: 2, isHeld: true }]);
  const asked = saidBy(`${near.url}${path}`, { method: 'POST', body: 'body' });
  while (near.forwarding.held.count === 0) await new Promise((next) => setImmediate(next));
  t.equal(near.forwarding.held.bytes, 4);
  hearAll([near, owner], [{ partition, owner, term: 3 }]);
  const { said } = await asked;
  t.equal(said.name, 'owner');
  t.equal(said.bytes, 4);
  t.equal(near.forwarding.held.bytes, 0);
});

t.test('a request without an owner is refused after two seconds', async (t) => {
  const [near] = await pair(t, naming('owner'));
  near.hears([]);
  const { statusCode, said, headers } = await saidBy(`${near.url}${path}`);
  t.equal(statusCode, 503);
  t.equal(said.code, 'moved');
  t.equal(headers['retry-after'], '1');
  t.ok(headers['x-request-id']);
});

t.test('a client that goes while its request waits takes no room any more', async (t) => {
  const [near] = await pair(t, naming('owner'));
  near.hears([]);
  const leaving = new AbortController();
  const asked = request(`${near.url}${path}`, { signal: leaving.signal });
  asked.catch(() => undefined);
  while (near.forwarding.held.count === 0) await new Promise((next) => setImmediate(next));
  leaving.abort();
  while (near.forwarding.held.count > 0) await new Promise((next) => setImmediate(next));
  t.equal(near.forwarding.held.bytes, 0);
});

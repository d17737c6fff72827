// What one request costs each HTTP server: `npx tsx bench/http-server.ts [seconds]`. Trust the
// server CPU per request and the ratio in one run; requests per second are bounded by autocannon
// (about 70,000) and the machine's load. The server runs in its own process.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { createHttpServer } from '../http/server/server.ts';

type Kind = 'uws' | 'node';

interface Load {
  readonly url: string;
  readonly connections: number;
  readonly duration: number;
  readonly method: 'GET' | 'POST';
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

// The package has no type declarations.
const autocannon = createRequire(import.meta.url)('autocannon') as (
  load: Load,
) => Promise<{ readonly requests: { readonly total: number }; readonly non2xx: number }>;

const served = process.argv[2] === 'serve';
if (served) await serve(process.argv[3] === 'node' ? 'node' : 'uws');
else await compare(Number(process.argv[2] ?? 3));

/** The child: serves until stopped, and reports its CPU time on request. */
async function serve(kind: Kind): Promise<void> {
  const headers = [['content-type', 'application/json']] as const;
  const { server, warning } = await createHttpServer(
    {
      onError: (error) => console.error(error),
      handler: (request, response) => {
        if (request.header('authorization') === '') {
          response.send(200, [], 'hello');
          return undefined;
        }
        return () => response.send(200, headers, '{"accepted":1}');
      },
    },
    kind,
  );
  if (warning !== undefined) console.error(warning);
  process.on('message', () => process.send?.(process.cpuUsage()));
  process.send?.(await server.listen('127.0.0.1', 0));
}

async function compare(seconds: number): Promise<void> {
  const cost = { uws: await measure('uws', seconds), node: await measure('node', seconds) };
  for (const name of ['GET hello', 'POST 200 B'] as const) {
    const ratio = cost.node[name] / cost.uws[name];
    console.log(
      `${name.padEnd(11)} node:http costs ${ratio.toFixed(2)} times the CPU of uWebSockets.js`,
    );
  }
}

async function measure(
  kind: Kind,
  seconds: number,
): Promise<Record<'GET hello' | 'POST 200 B', number>> {
  const child = fork(fileURLToPath(import.meta.url), ['serve', kind]);
  const [port] = (await once(child, 'message')) as [number];
  const cpuMicros = async (): Promise<number> => {
    child.send('cpu');
    const [usage] = (await once(child, 'message')) as [NodeJS.CpuUsage];
    return usage.user + usage.system;
  };
  const run = async (
    name: string,
    load: Pick<Load, 'method' | 'headers' | 'body'>,
  ): Promise<number> => {
    const url = `http://127.0.0.1:${port}/e`;
    await autocannon({ url, connections: 64, duration: 1, ...load }); // warm
    const before = await cpuMicros();
    const result = await autocannon({ url, connections: 64, duration: seconds, ...load });
    const micros = ((await cpuMicros()) - before) / result.requests.total;
    const rate = Math.round(result.requests.total / seconds);
    console.log(
      `${kind.padEnd(5)} ${name.padEnd(11)} ${micros.toFixed(2)} us/request  ${rate} requests/s`,
    );
    if (result.non2xx > 0) console.log(`      ${result.non2xx} answers were not 2xx`);
    return micros;
  };
  const hello = await run('GET hello', { method: 'GET' });
  const post = await run('POST 200 B', {
    method: 'POST',
    headers: { authorization: 'Bearer ek_x', 'content-type': 'application/json' },
    body: JSON.stringify({ event: 'x', pad: 'y'.repeat(177) }),
  });
  child.kill();
  return { 'GET hello': hello, 'POST 200 B': post };
}

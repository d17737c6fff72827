// A real server under a conformance script: an app of its own with the script's settings.

import { request } from 'undici';
import { type Client, eventually, type RunningServer } from '../../../support/server.ts';
import type { GivenAnswer, MadeRequest } from './driver.ts';
import type { ConformanceServer } from './run-script.ts';
import type { Json, Script } from './script.ts';

/** Once for all its scripts. */
export async function appOf(
  server: RunningServer,
  client: Client,
  { title, settings }: Script,
): Promise<ConformanceServer> {
  const { id: appId } = await client.must('POST /v1/apps', { name: title.slice(0, 100) });
  const { secret } = await client.must(`POST /v1/apps/${appId}/identity-secret`);
  if (settings !== undefined) await client.must(`PATCH /v1/apps/${appId}/settings`, settings);
  return {
    baseUrl: server.url,
    appId,
    secret,
    real: {
      send,
      async administer({ line, body, status }, isRight) {
        const call = async (): Promise<Json> => {
          const reply = await client.call(line, body as object | undefined);
          if (status === undefined ? reply.status >= 300 : reply.status !== status)
            throw new Error(`${line}: ${reply.status} ${reply.text}`);
          return (reply.json ?? null) as Json;
        };
        if (isRight === undefined) {
          await call();
          return;
        }
        let problem: string | undefined;
        await eventually(
          async () => ((problem = isRight(await call())) === undefined ? true : undefined),
          () => `${line}: ${problem}`,
        );
      },
    },
  };
}

async function send({ method, url, headers, body }: MadeRequest): Promise<GivenAnswer> {
  const response = await request(url, {
    method: method as 'GET',
    headers,
    body: body ?? null,
  });
  const text = await response.body.text();
  const plain = Object.entries(response.headers).map(
    ([name, value]) => [name, String(value)] as const,
  );
  return { status: response.statusCode, headers: Object.fromEntries(plain), text };
}

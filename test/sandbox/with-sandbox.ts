// A sandbox on free loopback ports for the length of one test, and JSON calls to it. Calls go
// through undici's own client and never throw for a status: a refusal is often what a test wants.

import type { Test } from 'tap';
import { request } from 'undici';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';

/** An answer with its body as text and, where it is JSON, as a value to pick apart. */
interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Unchecked: a test reads what it then asserts. */
  readonly json: ReturnType<typeof JSON.parse>;
}

/** A running sandbox and ways to call it. */
export interface Rig extends Sandbox {
  /** Sends a request to a path of the sandbox; an object as body goes as JSON. */
  call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    body?: string | Buffer | object,
    headers?: Record<string, string>,
  ): Promise<Reply>;
  /** The newest messages, newest first. */
  messages(query?: string): Promise<Reply['json'][]>;
}

/** Starts a sandbox that ends with the test. */
export async function withSandbox(t: Test): Promise<Rig> {
  const failures: string[] = [];
  const sandbox = await startSandbox({ port: 0, log: (line) => failures.push(line) });
  t.teardown(async () => {
    await sandbox.close();
    // Too late for an assertion, but a sandbox that failed by itself must not pass for a refusal.
    if (failures.length > 0) throw new Error(failures.join('\n'));
  });
  const call: Rig['call'] = async (method, path, body, headers = {}) => {
    const isText = typeof body === 'string' || Buffer.isBuffer(body);
    const response = await request(sandbox.url + path, {
      method,
      headers: {
        ...(body !== undefined && !isText && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : isText ? body : JSON.stringify(body),
    });
    const text = await response.body.text();
    const isJson = String(response.headers['content-type']).startsWith('application/json');
    return {
      status: response.statusCode,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  };
  return {
    ...sandbox,
    call,
    messages: async (query = '') => (await call('GET', `/control/messages${query}`)).json.messages,
  };
}

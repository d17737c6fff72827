// A client of the agent tools, the official one, over HTTP or stdio. Whatever a tool answers is
// checked here: one paragraph, the data twice and equal, and no data in the prose.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Test } from 'tap';

/** What a tool answered. */
interface Told {
  readonly isError: boolean;
  readonly text: string;
  /** Unchecked: a test reads what it then asserts. */
  readonly data: ReturnType<typeof JSON.parse>;
}

export interface ToolClient {
  readonly client: Client;
  /** Calls a tool. Rejects only for errors of the protocol and the network. */
  tell(name: string, args?: object): Promise<Told>;
  /** The same, and throws for a refusal: for what a test needs and does not examine. */
  must(name: string, args?: object): Promise<Told['data']>;
}

/** The tools over `POST /mcp`. */
export function overHttp(t: Test, url: string, key: string): Promise<ToolClient> {
  const requestInit = { headers: { authorization: `Bearer ${key}` } };
  // Its optional members are not exact, ours are.
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit });
  return connected(t, transport as Transport);
}

/** Over any transport; it closes with the test. */
export async function connected(t: Test, transport: Transport): Promise<ToolClient> {
  const client = new Client({ name: 'test', version: '1' });
  t.teardown(() => client.close());
  await client.connect(transport);
  const tell: ToolClient['tell'] = async (name, args = {}) => {
    const result = await client.callTool({ name, arguments: { ...args } });
    const content = result.content as readonly { type: string; text: string }[];
    t.same(
      content.map(({ type }) => type),
      ['text', 'text'],
    );
    const [text = '', json = ''] = content.map((one) => one.text);
    t.notMatch(text, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, `${name} answers one paragraph`);
    t.match(text, /^[A-Z]/, `${name} answers in sentences`);
    t.notMatch(json, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, `${name} hides nothing in its data`);
    t.same(JSON.parse(json), result.structuredContent, `${name} says the same twice`);
    return { isError: result.isError === true, text, data: result.structuredContent };
  };
  return {
    client,
    tell,
    async must(name, args) {
      const { isError, data } = await tell(name, args);
      if (isError) throw new Error(`${name}: ${JSON.stringify(data)}`);
      return data;
    },
  };
}

/** A text without its JSON strings: what a tool says in its own words. */
export function proseOf(text: string): string {
  return text.replace(/"(?:[^"\\]|\\.)*"/g, '""');
}

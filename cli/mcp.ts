// `engage mcp`: the agent tools on stdin and stdout, for programs that start their tool server
// themselves. Each message goes to `POST /mcp` of a running server, so there is one implementation,
// and a restart of the server between two calls goes unnoticed.

import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type Command, UsageError } from './command.ts';
import { ToolForwarder } from './mcp-forwarder.ts';
import { outliveReaders } from './outlive-readers.ts';
import { apiKeyOrDemo, serverUrl } from './server-access.ts';
import { parseWords } from './words.ts';

/** Above the server's own limit for a body, so that the server refuses it with its sentence. */
const messageBytesMax = 2 * 1024 * 1024;
/** Requests on their way at once; more wait in the pipe. */
const forwardedMax = 16;
const parseError = -32_700;

export const command: Command = {
  name: 'mcp',
  summary: 'Serve the agent tools on stdin and stdout (Model Context Protocol).',
  usage: 'engage mcp [--url <url>] [--key <key>]',
  help: [
    'For assistants that start their tool server as a program. Each message is forwarded to',
    'POST /mcp of a running server; clients that speak streamable HTTP can call that address',
    'themselves. The tools can do what the key can: give it only the scopes that are needed.',
    '',
    '  --url <url>   URL of the server (default: ENGAGE_URL, else this machine and ENGAGE_PORT)',
    '  --key <key>   API key (default: ENGAGE_API_KEY, else ENGAGE_KEY, else, without a URL, the',
    '                demo key in the data directory; prefer these, other users can see',
    '                command-line options)',
    '',
    'Ends when stdin ends. Nothing but protocol messages is written to stdout.',
  ].join('\n'),
  run: mcp,
};

async function mcp(words: readonly string[]): Promise<number> {
  const { positionals, options } = parseWords(words, ['url', 'key']);
  if (positionals[0] !== undefined) throw new UsageError(`usage: ${command.usage}`);
  const url = serverUrl(options.get('url'));
  const key = apiKeyOrDemo(options.get('key'), options.get('url'));
  outliveReaders();
  return await serve(new ToolForwarder(url, key));
}

/** Resolves once stdin has ended and every request is answered. */
async function serve(forwarder: ToolForwarder): Promise<number> {
  const { stdin, stdout } = process;
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: messageBytesMax });
  const pending = new Set<Promise<void>>();
  let isEnded = false;
  const answer = async (message: JSONRPCMessage): Promise<void> => {
    const answered = await forwarder.forward(message);
    if (answered !== undefined) await transport.send(answered);
  };
  transport.onmessage = (message) => {
    const work = answer(message).finally(() => {
      pending.delete(work);
      if (!isEnded) stdin.resume();
    });
    pending.add(work);
    if (pending.size >= forwardedMax) stdin.pause();
  };
  transport.onerror = () => {
    process.stderr.write('engage: a line on stdin is not a message of the protocol\n');
    void transport.send({ jsonrpc: '2.0', error: { code: parseError, message: 'not a message' } });
  };
  const code = await new Promise<number>((resolve) => {
    stdin.once('end', () => resolve(0));
    // The transport closes itself when a line is too long.
    transport.onclose = () => resolve(1);
    void transport.start();
  });
  isEnded = true;
  await Promise.all(pending);
  return code;
}

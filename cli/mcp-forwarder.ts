// Forwards messages of the Model Context Protocol to `POST /mcp`. Every request gets an answer:
// what the server or the network refuses becomes a JSON-RPC error with the server's sentence.

import {
  isInitializeRequest,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  JSONRPCMessageSchema,
} from '@modelcontextprotocol/sdk/types.js';

const answerLimitMs = 120_000;
/** The range that JSON-RPC leaves to servers. */
const serverError = -32_000;

interface Problem {
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export class ToolForwarder {
  readonly #url: string;
  readonly #key: string;
  /** As negotiated; later requests name it. */
  #version: string | undefined;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** The answer to a request; `undefined` for other messages. Never rejects. */
  async forward(message: JSONRPCMessage): Promise<JSONRPCMessage | undefined> {
    const answer = await this.#post(message).catch((error: unknown) =>
      unreachable(this.#url, error),
    );
    if (!isJSONRPCRequest(message)) return undefined;
    if (answer !== undefined && 'jsonrpc' in answer) {
      if (isInitializeRequest(message)) this.#keepVersion(answer);
      return answer;
    }
    const { message: words, data } = answer ?? { message: `${this.#url} sent no answer` };
    const error = { code: serverError, message: words, ...(data === undefined ? {} : { data }) };
    return { jsonrpc: '2.0', id: message.id, error };
  }

  async #post(message: JSONRPCMessage): Promise<JSONRPCMessage | Problem | undefined> {
    const response = await fetch(`${this.#url}/mcp`, {
      method: 'POST',
      redirect: 'error', // the key is for this server and no other
      signal: AbortSignal.timeout(answerLimitMs),
      headers: {
        authorization: `Bearer ${this.#key}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(this.#version === undefined ? {} : { 'mcp-protocol-version': this.#version }),
      },
      body: JSON.stringify(message),
    });
    const text = await response.text();
    if (response.status === 202) return undefined;
    const body = parsed(text);
    if (response.status !== 200) return refused(response, body, text);
    const answer = JSONRPCMessageSchema.safeParse(body);
    if (answer.success) return answer.data;
    return { message: `${this.#url} responded with 200, but not with a message of the protocol` };
  }

  #keepVersion(answer: JSONRPCMessage): void {
    if (!isJSONRPCResultResponse(answer)) return;
    const version = answer.result['protocolVersion'];
    if (typeof version === 'string') this.#version = version;
  }
}

/** The API's sentence; `data` has the whole refusal for programs. */
function refused({ status, headers }: Response, body: unknown, text: string): Problem {
  const refusal = typeof body === 'object' && body !== null ? body : {};
  const words = 'error' in refusal && typeof refusal.error === 'string' ? refusal.error : '';
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    message: words || `status ${status}: ${text.slice(0, 200).replace(/\s+/g, ' ').trim()}`,
    data: {
      status,
      ...refusal,
      ...(Number.isNaN(retryAfter) ? {} : { retryAfterSeconds: retryAfter }),
    },
  };
}

/** `fetch failed` explains nothing; its cause does. */
function unreachable(url: string, error: unknown): Problem {
  const { name = '', cause } = error instanceof Error ? error : {};
  const code =
    cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : '';
  if (name === 'TimeoutError')
    return { message: `${url} did not respond within ${answerLimitMs / 1000} seconds` };
  return { message: `no server responds at ${url} (${code || String(error)})` };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

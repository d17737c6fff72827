// The head of a forwarded request: what the server where it arrived adds for the owner, and what
// belongs to one connection and goes no further. Only the internal port believes what was added.

import type { PeerHeaders } from '../../engine/peers/peer-call.ts';
import type { HeaderList, HttpRequest } from '../server/exchange.ts';

/** `<partition> <address of the client's side of the connection>`. */
export const forwardedHeader = 'x-engage-forwarded';

/** RFC 9110, section 7.6.1; and what both ends write by themselves. */
const ofConnection = new Set([
  'connection',
  'content-length',
  'date',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers for the owner. Values as bytes of UTF-8, which is how both servers read them. */
export function headersToOwner(request: HttpRequest, partition: number): Record<string, string> {
  const named = request.header('connection').toLowerCase().split(/,\s*/);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers()))
    if (!ofConnection.has(name) && !named.includes(name)) headers[name] = asBytes(value);
  headers[forwardedHeader] = `${partition} ${request.remoteAddress}`;
  return headers;
}

/** Each character is a byte. */
export function asBytes(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text).toString('latin1') : text;
}

/** Headers of the owner's answer for the client. */
export function headersToClient(headers: PeerHeaders): HeaderList {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || ofConnection.has(name.toLowerCase())) return [];
    const values = typeof value === 'string' ? [value] : value;
    return values.map((one) => [name.toLowerCase(), one] as const);
  });
}

/** A request as its owner sees it: from the client, not from the server that sent it here. */
export class ForwardedRequest implements HttpRequest {
  readonly partition: number;
  readonly remoteAddress: string;
  readonly #request: HttpRequest;

  private constructor(request: HttpRequest, partition: number, remoteAddress: string) {
    this.#request = request;
    this.partition = partition;
    this.remoteAddress = remoteAddress;
  }

  /** `undefined` for a request that nobody forwarded. */
  static of(request: HttpRequest): ForwardedRequest | undefined {
    const said = /^(\d{1,4}) ([\da-f.:]*)$/.exec(request.header(forwardedHeader));
    if (said === null) return undefined;
    const [, partition = '', address = ''] = said;
    return new ForwardedRequest(request, Number(partition), address);
  }

  get method(): string {
    return this.#request.method;
  }

  get path(): string {
    return this.#request.path;
  }

  get query(): string {
    return this.#request.query;
  }

  header(name: string): string {
    return name === forwardedHeader ? '' : this.#request.header(name);
  }

  has(name: string): boolean {
    return name !== forwardedHeader && this.#request.has(name);
  }

  headers(): Readonly<Record<string, string>> {
    const { [forwardedHeader]: _, ...others } = this.#request.headers();
    return others;
  }
}

// A batched two-way link between threads: a tick's items cross in one or a few frames. Small bodies
// are copied into the frame, large ones transferred. `send` gives a body, with the buffer it
// begins, to the link; the reader of a large one returns it for reuse.

import type { TransferListItem } from 'node:worker_threads';
import { bodyBuffers, largeBytes } from './body-buffers.ts';

export interface Port {
  postMessage(value: unknown, transfer?: readonly TransferListItem[]): void;
  on(event: 'message', handler: (value: unknown) => void): unknown;
  close?(): void;
}

/** Handles one item and its body. */
type Receive<Item> = (item: Item, bytes: Uint8Array | undefined) => void;

/** A frame this full leaves before the tick ends, so that the other thread can start. */
const frameItemsMax = 32;

interface Frame<Item> {
  readonly items: readonly Item[];
  /** Triples (item index, offset, length) into `body`; empty without small bodies. */
  readonly spans: readonly number[];
  readonly body: ArrayBuffer | undefined;
  /** Item index, transferred buffer, body length. */
  readonly large: readonly Large[];
  /** Buffers returned to the other side. */
  readonly spent: readonly ArrayBuffer[];
}

type Large = readonly [index: number, buffer: ArrayBuffer, length: number];

export class Link<Out, In> {
  readonly #port: Port;
  readonly #defer: (flush: () => void) => void;
  #items: Out[] = [];
  #bodies: { index: number; bytes: Uint8Array }[] = [];
  #spent: ArrayBuffer[] = [];
  #scheduled = false;
  /** For metrics. */
  frames = 0;
  sent = 0;

  constructor(port: Port, receive: Receive<In>, defer: (flush: () => void) => void = setImmediate) {
    this.#port = port;
    this.#defer = defer;
    port.on('message', (value) => {
      const frame = value as Frame<In>;
      deliver(frame, receive);
    });
  }

  /** Queues an item for this tick's frame. */
  send(item: Out, bytes?: Uint8Array): void {
    if (bytes !== undefined) this.#bodies.push({ index: this.#items.length, bytes });
    this.#items.push(item);
    if (this.#items.length >= frameItemsMax) this.flush();
    else if (!this.#scheduled) {
      this.#scheduled = true;
      this.#defer(this.#tick);
    }
  }

  /** Returns a read body with the next frame; nothing may read it afterwards. */
  giveBack({ buffer, byteLength }: Uint8Array): void {
    if (byteLength >= largeBytes && buffer instanceof ArrayBuffer) this.#spent.push(buffer);
  }

  readonly #tick = (): void => {
    this.#scheduled = false;
    this.flush();
  };

  /** Sends what is queued now. */
  readonly flush = (): void => {
    if (this.#items.length === 0) return;
    const items = this.#items;
    const bodies = this.#bodies;
    this.#items = [];
    this.frames++;
    this.sent += items.length;
    const spent = this.#spent;
    if (bodies.length === 0 && spent.length === 0) {
      const frame: Frame<Out> = { items, spans: [], body: undefined, large: [], spent };
      this.#port.postMessage(frame);
      return;
    }
    this.#bodies = [];
    this.#spent = [];
    const frame = pack(items, bodies, spent);
    const transfer: ArrayBuffer[] = frame.large.map(([, buffer]) => buffer);
    if (frame.body !== undefined) transfer.push(frame.body);
    this.#port.postMessage(frame, [...transfer, ...spent]);
  };

  close(): void {
    this.#port.close?.();
  }
}

function pack<Item>(
  items: readonly Item[],
  bodies: readonly { readonly index: number; readonly bytes: Uint8Array }[],
  spent: readonly ArrayBuffer[],
): Frame<Item> {
  const spans: number[] = [];
  const large: Large[] = [];
  let total = 0;
  for (const { bytes } of bodies) if (bytes.byteLength < largeBytes) total += bytes.byteLength;
  const body = total > 0 ? new Uint8Array(new ArrayBuffer(total)) : undefined;
  let at = 0;
  for (const { index, bytes } of bodies) {
    if (bytes.byteLength >= largeBytes || body === undefined) {
      large.push([index, owned(bytes), bytes.byteLength]);
      continue;
    }
    body.set(bytes, at);
    spans.push(index, at, bytes.byteLength);
    at += bytes.byteLength;
  }
  return { items, spans, body: body?.buffer, large, spent };
}

/** The bytes' own buffer if nothing shares it, otherwise a copy: a transfer would empty a pool. */
function owned(bytes: Uint8Array): ArrayBuffer {
  const { buffer, byteLength, byteOffset } = bytes;
  // So large a body owns its buffer: pools are smaller.
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength >= largeBytes) return buffer;
  return new Uint8Array(bytes).buffer;
}

function deliver<Item>(frame: Frame<Item>, receive: Receive<Item>): void {
  const { items, spans, large, spent } = frame;
  for (const buffer of spent) bodyBuffers.give(buffer);
  if (spans.length === 0 && large.length === 0) {
    for (const item of items) receive(item, undefined);
    return;
  }
  let span = 0;
  let next = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Item;
    if (spans[span] === i) {
      receive(item, new Uint8Array(frame.body as ArrayBuffer, spans[span + 1], spans[span + 2]));
      span += 3;
    } else if (large[next]?.[0] === i) {
      const [, buffer, length] = large[next++] as Large;
      receive(item, new Uint8Array(buffer, 0, length));
    } else receive(item, undefined);
  }
}

/**
 * Two ports in one thread for the inline host. Clones frames, so that an uncloneable message fails
 * in tests too; `defer` lets a simulator choose the arrival.
 */
export function inlinePorts(defer: (deliver: () => void) => void): readonly [Port, Port] {
  const handlers: ((value: unknown) => void)[][] = [[], []];
  const end = (self: 0 | 1): Port => ({
    postMessage(value, transfer) {
      const copy = structuredClone(value, { transfer: [...(transfer ?? [])] as ArrayBuffer[] });
      defer(() => {
        for (const handler of handlers[1 - self] ?? []) handler(copy);
      });
    },
    on(_event, handler) {
      handlers[self]?.push(handler);
    },
  });
  return [end(0), end(1)];
}

// A batched two-way link between threads: what is sent in one tick crosses as one frame, or as a few when it is much.
// Small bodies are copied into one buffer of the frame, large ones are transferred. A body given to `send` belongs to
// the link afterwards.

import type { TransferListItem } from 'node:worker_threads';

/** What a link needs of a MessagePort. */
export interface Port {
  postMessage(value: unknown, transfer?: readonly TransferListItem[]): void;
  on(event: 'message', handler: (value: unknown) => void): unknown;
  close?(): void;
}

/** Handles one item and the body that came with it. */
export type Receive<Item> = (item: Item, bytes: Uint8Array | undefined) => void;

/** A frame leaves before its tick ends once it holds so many, so that the other thread starts while this one goes on. */
const frameItemsMax = 32;
const transferFromBytes = 32 * 1024;

interface Frame<Item> {
  readonly items: readonly Item[];
  /** Triples (item index, offset, length) into `body`; empty where no item carries small bytes. */
  readonly spans: readonly number[];
  readonly body: ArrayBuffer | undefined;
  /** Pairs of item index and its transferred buffer. */
  readonly large: readonly (readonly [number, ArrayBuffer])[];
}

/** One end of a link. */
export class Link<Out, In> {
  readonly #port: Port;
  readonly #defer: (flush: () => void) => void;
  #items: Out[] = [];
  #bodies: { index: number; bytes: Uint8Array }[] = [];
  #scheduled = false;
  /** Frames and items sent, for metrics. */
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
    if (bodies.length === 0) {
      this.#port.postMessage({ items, spans: [], body: undefined, large: [] } satisfies Frame<Out>);
      return;
    }
    this.#bodies = [];
    const frame = pack(items, bodies);
    const transfer: ArrayBuffer[] = frame.large.map(([, buffer]) => buffer);
    if (frame.body !== undefined) transfer.push(frame.body);
    this.#port.postMessage(frame, transfer);
  };

  close(): void {
    this.#port.close?.();
  }
}

function pack<Item>(
  items: readonly Item[],
  bodies: readonly { readonly index: number; readonly bytes: Uint8Array }[],
): Frame<Item> {
  const spans: number[] = [];
  const large: (readonly [number, ArrayBuffer])[] = [];
  let total = 0;
  for (const { bytes } of bodies)
    if (bytes.byteLength < transferFromBytes) total += bytes.byteLength;
  const body = total > 0 ? new Uint8Array(new ArrayBuffer(total)) : undefined;
  let at = 0;
  for (const { index, bytes } of bodies) {
    if (bytes.byteLength >= transferFromBytes || body === undefined) {
      large.push([index, owned(bytes)]);
      continue;
    }
    body.set(bytes, at);
    spans.push(index, at, bytes.byteLength);
    at += bytes.byteLength;
  }
  return { items, spans, body: body?.buffer, large };
}

/** The bytes' own buffer where nothing else lives in it; a copy otherwise (transferring a pool would empty it). */
function owned(bytes: Uint8Array): ArrayBuffer {
  const { buffer } = bytes;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === bytes.byteLength) return buffer;
  return new Uint8Array(bytes).buffer;
}

function deliver<Item>(frame: Frame<Item>, receive: Receive<Item>): void {
  const { items, spans, large } = frame;
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
      receive(item, new Uint8Array((large[next] as readonly [number, ArrayBuffer])[1]));
      next++;
    } else receive(item, undefined);
  }
}

/**
 * Two ports in one thread for the inline host. Frames are cloned like between threads, so that a message which
 * would not survive the crossing fails in tests too; `defer` lets a simulator decide when they arrive.
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

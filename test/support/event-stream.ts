// A reader of server-sent events.

import { request } from 'undici';

export interface SentEvent {
  readonly event: string;
  readonly id: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it then asserts
  readonly data: any;
}

export interface EventStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The next event for which this holds; throws at the end of the stream. */
  next(holds?: (one: SentEvent) => boolean): Promise<SentEvent>;
  /** Reads to the end; resolves to what is left. */
  rest(): Promise<readonly SentEvent[]>;
  /** Disconnects. */
  close(): void;
}

export async function openEvents(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<EventStream> {
  const controller = new AbortController();
  const {
    statusCode,
    headers: answered,
    body,
  } = await request(url, {
    headers,
    signal: controller.signal,
    bodyTimeout: 60_000,
  });
  body.on('error', () => undefined);
  const events = eventsIn(body);
  const next = async (holds: (one: SentEvent) => boolean = () => true) => {
    for (;;) {
      const { done, value } = await events.next();
      if (done) throw new Error('the stream ended');
      if (holds(value)) return value;
    }
  };
  return {
    status: statusCode,
    headers: answered,
    next,
    async rest() {
      const left: SentEvent[] = [];
      for await (const one of events) left.push(one);
      return left;
    },
    close: () => controller.abort(),
  };
}

async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<SentEvent, void> {
  let text = '';
  for await (const piece of body) {
    text += Buffer.from(piece).toString();
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(
        text
          .slice(0, end)
          .split('\n')
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      text = text.slice(end + 2);
      const data = fields.get('data');
      if (data !== undefined)
        yield { event: fields.get('event') ?? '', id: fields.get('id'), data: JSON.parse(data) };
    }
  }
}

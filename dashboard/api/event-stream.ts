// Reads server-sent events out of text that arrives in pieces. No DOM types here.

interface StreamEvent {
  readonly event: string;
  readonly data: string;
  readonly id: string | undefined;
}

/** Gives the events that each piece completes; comments and `retry` are passed over. */
export class EventStreamReader {
  #rest = '';

  read(piece: string): readonly StreamEvent[] {
    const blocks = (this.#rest + piece).replaceAll('\r\n', '\n').split('\n\n');
    this.#rest = blocks.pop() ?? '';
    return blocks.flatMap((block) => eventOf(block) ?? []);
  }
}

function eventOf(block: string): StreamEvent | undefined {
  let event = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (line.startsWith('data:')) data.push(value);
    else if (line.startsWith('event:')) event = value;
    else if (line.startsWith('id:')) id = value;
  }
  return data.length === 0 ? undefined : { event, data: data.join('\n'), id };
}

// The answer of an export, read while it arrives: as chunks, as lines or whole.

/** Can be read once. Stop early and the connection is closed. */
export class ByteStream implements AsyncIterable<Uint8Array> {
  /** The body as the platform gives it, for pipes. */
  readonly body: ReadableStream<Uint8Array>;
  readonly contentType: string;

  constructor(body: ReadableStream<Uint8Array>, contentType: string) {
    this.body = body;
    this.contentType = contentType;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const reader = this.body.getReader();
    let isOver = false;
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) {
          isOver = true;
          return;
        }
        yield value;
      }
    } finally {
      if (!isOver) await reader.cancel().catch(() => undefined); // it may have broken already
      reader.releaseLock();
    }
  }

  /** Lines without their ends. A field of a CSV file may contain a line break. */
  async *lines(): AsyncGenerator<string, void, undefined> {
    const decoder = new TextDecoder();
    let rest = '';
    for await (const chunk of this) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield line.replace(/\r$/, '');
    }
    rest += decoder.decode();
    if (rest !== '') yield rest.replace(/\r$/, '');
  }

  async text(): Promise<string> {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of this) text += decoder.decode(chunk, { stream: true });
    return text + decoder.decode();
  }
}

// A partition's log on a JetStream stream of its own, with three copies. What fences is the
// stream's sequence, which each append names and the server compares when it applies the message;
// what it loses or changes is found by the chain of frames.

import type { ConsumerMessages } from '@nats-io/jetstream';
import type { Bytes } from '../../engine/base/brand.ts';
import type {
  Appended,
  LoggedFrame,
  LogRange,
  LogTail,
  PartitionLog,
  Position,
} from '../../engine/log/partition-log.ts';
import { answerMs, type JetStream } from './connection.ts';

/** Of JetStream's errors: the newest sequence is another one. */
const wrongLastSequence = new Set([10_071, 10_164]);
/** No room: bytes of the stream, of the account, or of the disk. */
const noRoom = new Set([10_023, 10_047, 10_077, 10_122, 10_123]);
const noMessage = 10_037;
/** A tail holds at most this much that nobody has taken. */
const tailBytesMax: Bytes = 8 * 1024 * 1024;

interface StreamShape {
  readonly name: string;
  readonly copies: number;
  readonly bytesMax: Bytes;
}

export function streamName(cluster: string, partition: number, generation: number): string {
  return `ENGAGE_${cluster}_P${String(partition).padStart(2, '0')}_G${generation}`;
}

const subjectOf = (stream: string) => `${stream}.log`;

/**
 * Makes the stream, unless it is there. It drops nothing by itself, and refuses what has no room.
 */
export async function createStream(
  { patient: { streams } }: JetStream,
  { name, copies, bytesMax }: StreamShape,
): Promise<void> {
  await streams.streams.add({
    name,
    subjects: [subjectOf(name)],
    num_replicas: copies,
    storage: 'file',
    retention: 'limits',
    discard: 'new',
    max_bytes: bytesMax,
    // No message has an id: 100 ms is the least.
    duplicate_window: 100_000_000,
    allow_direct: false,
    deny_delete: true,
  });
}

/** Names of all streams that are there. */
export async function streamNames({ patient: { streams } }: JetStream): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const name of streams.streams.names()) found.add(name);
  return found;
}

interface PublishAnswer {
  readonly seq?: number;
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

/** The log of a stream that is there. */
export function openJetStreamLog(jetStream: JetStream, stream: string): PartitionLog {
  return new JetStreamLog(jetStream, stream);
}

class JetStreamLog implements PartitionLog {
  readonly #jetStream: JetStream;
  readonly #stream: string;

  constructor(jetStream: JetStream, stream: string) {
    this.#jetStream = jetStream;
    this.#stream = stream;
  }

  append(frame: Uint8Array, after: Position): Promise<Appended> {
    return this.#publish(frame, after);
  }

  appendAnywhere(frame: Uint8Array): Promise<Appended> {
    return this.#publish(frame, undefined);
  }

  async read(after: Position, bytesMax: Bytes): Promise<readonly LoggedFrame[] | undefined> {
    const found: LoggedFrame[] = [];
    for (let [position, bytes] = [after + 1, 0]; bytes < bytesMax; position++) {
      const frame = await this.#at(position);
      if (frame === 'none') break;
      if (frame === undefined) return found.length === 0 ? undefined : found;
      found.push({ position, bytes: frame });
      bytes += frame.length;
    }
    if (found.length > 0) return found;
    const range = await this.range();
    return range === undefined || range.oldest > after + 1 ? undefined : found;
  }

  async range(): Promise<LogRange | undefined> {
    try {
      const { state } = await this.#jetStream.streams.streams.info(this.#stream);
      return { oldest: state.first_seq, newest: state.last_seq, bytes: state.bytes };
    } catch {
      return undefined;
    }
  }

  tail(after: Position, arrived: () => void): LogTail {
    return new JetStreamTail(this.#jetStream, this.#stream, after, arrived);
  }

  async trim(through: Position): Promise<void> {
    try {
      await this.#jetStream.streams.streams.purge(this.#stream, { seq: through + 1 });
    } catch {
      // the next checkpoint trims again
    }
  }

  async close(): Promise<void> {}

  async #publish(frame: Uint8Array, after: Position | undefined): Promise<Appended> {
    const named = this.#jetStream.newHeaders();
    if (after !== undefined) named.set('Nats-Expected-Last-Sequence', String(after));
    let answer: PublishAnswer;
    try {
      const message = await this.#jetStream.connection.request(subjectOf(this.#stream), frame, {
        timeout: answerMs,
        headers: named,
      });
      answer = message.json<PublishAnswer>();
    } catch (error) {
      return { state: 'unknown', reason: error instanceof Error ? error.message : String(error) };
    }
    const { seq, error } = answer;
    if (error === undefined && typeof seq === 'number') return { state: 'appended', position: seq };
    const code = error?.err_code ?? 0;
    if (after !== undefined && wrongLastSequence.has(code)) return { state: 'refused' };
    if (noRoom.has(code)) return { state: 'full' };
    return { state: 'unknown', reason: error?.description ?? 'an answer without a sequence' };
  }

  /** `none`: there is no such message. `undefined`: nobody answered. */
  async #at(seq: Position): Promise<Uint8Array | 'none' | undefined> {
    try {
      const message = await this.#jetStream.streams.streams.getMessage(this.#stream, { seq });
      return message?.data ?? 'none';
    } catch (error) {
      return (error as { readonly code?: number }).code === noMessage ? 'none' : undefined;
    }
  }
}

/** An ordered consumer: the client makes it anew wherever it missed something. */
class JetStreamTail implements LogTail {
  readonly #arrived: () => void;
  #frames: LoggedFrame[] = [];
  #bytes: Bytes = 0;
  #isClosed = false;
  #messages: ConsumerMessages | undefined;
  #room: (() => void) | undefined;
  #read: Position;

  constructor({ client }: JetStream, stream: string, after: Position, arrived: () => void) {
    this.#arrived = arrived;
    this.#read = after;
    void this.#run(client, stream);
  }

  async next(): Promise<readonly LoggedFrame[] | undefined> {
    const frames = this.#frames;
    this.#frames = [];
    this.#bytes = 0;
    this.#room?.();
    return frames;
  }

  close(): void {
    this.#isClosed = true;
    this.#room?.();
    void this.#messages?.close();
  }

  async #run(client: JetStream['client'], stream: string): Promise<void> {
    while (!this.#isClosed) {
      try {
        const consumer = await client.consumers.get(stream, {
          deliver_policy: 'by_start_sequence',
          opt_start_seq: this.#read + 1,
        } as never);
        this.#messages = await consumer.consume({ max_bytes: tailBytesMax });
        if (this.#isClosed) void this.#messages.close();
        for await (const message of this.#messages) {
          if (this.#isClosed) return;
          this.#read = message.seq;
          this.#frames.push({ position: message.seq, bytes: message.data });
          this.#bytes += message.data.length;
          this.#arrived();
          if (this.#bytes >= tailBytesMax) await this.#roomLeft();
        }
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  }

  #roomLeft(): Promise<void> {
    return new Promise((resolve) => {
      this.#room = () => {
        this.#room = undefined;
        resolve();
      };
    });
  }
}

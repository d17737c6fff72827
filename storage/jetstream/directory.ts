// The cluster's directory in a JetStream key-value bucket with three copies. What is read may be a
// little behind, as the port allows: an update names the revision that it replaces.

import type { KV, KvWatchEntry } from '@nats-io/kv';
import type {
  Directory,
  DirectoryKey,
  DirectoryUpdate,
  DirectoryValue,
  Revision,
} from '../../engine/cluster/directory.ts';
import { answerMs, type JetStream } from './connection.ts';

/** Of JetStream's errors: the newest revision is another one. */
const wrongRevision = new Set([10_071, 10_164]);
/** Before the bucket is watched again. */
const watchAgainMs = 1_000;

/** Opens the cluster's bucket, and makes it if it is not there. Rejects if nobody answers. */
export async function openJetStreamDirectory(
  { client, patient }: JetStream,
  cluster: string,
  copies: number,
): Promise<Directory> {
  const { Kvm } = await import('@nats-io/kv');
  const name = `ENGAGE_${cluster}_DIRECTORY`;
  const shape = { replicas: copies, history: 1, allow_direct: false };
  await new Kvm(patient.client).create(name, shape);
  return new JetStreamDirectory(await new Kvm(client).open(name));
}

class JetStreamDirectory implements Directory {
  readonly #bucket: KV;
  readonly #watches = new Set<Watch>();

  constructor(bucket: KV) {
    this.#bucket = bucket;
  }

  async readAll(): Promise<ReadonlyMap<DirectoryKey, DirectoryValue> | undefined> {
    let entries: Entries | undefined;
    let timer: NodeJS.Timeout | undefined;
    try {
      const found = new Map<DirectoryKey, DirectoryValue>();
      if ((await this.#bucket.status()).values === 0) return found;
      entries = await this.#bucket.watch();
      let isWhole = false;
      timer = setTimeout(() => entries?.stop(), answerMs);
      for await (const entry of entries) {
        if (entry.operation === 'PUT')
          found.set(entry.key, { value: entry.value, revision: entry.revision });
        isWhole = entry.delta === 0;
        if (isWhole) break;
      }
      return isWhole ? found : undefined;
    } catch {
      return undefined;
    } finally {
      clearTimeout(timer);
      entries?.stop();
    }
  }

  async update(key: DirectoryKey, value: Uint8Array, revision: Revision): Promise<DirectoryUpdate> {
    try {
      // `timeout` is not among the options that the types name, but goes to the publish call.
      const options = { previousSeq: revision, timeout: answerMs };
      return { state: 'updated', revision: await this.#bucket.put(key, value, options) };
    } catch (error) {
      if (wrongRevision.has((error as { readonly code?: number }).code ?? 0))
        return { state: 'refused' };
      return { state: 'unknown', reason: error instanceof Error ? error.message : String(error) };
    }
  }

  watch(changed: () => void): { close(): void } {
    const watch = new Watch(this.#bucket, changed);
    this.#watches.add(watch);
    return watch;
  }

  async close(): Promise<void> {
    for (const watch of this.#watches) watch.close();
  }
}

type Entries = AsyncIterable<KvWatchEntry> & { stop(): void };

/** One that goes on after the servers were away. */
class Watch {
  readonly #bucket: KV;
  readonly #changed: () => void;
  #entries: Entries | undefined;
  #isClosed = false;

  constructor(bucket: KV, changed: () => void) {
    this.#bucket = bucket;
    this.#changed = changed;
    void this.#run();
  }

  close(): void {
    this.#isClosed = true;
    this.#entries?.stop();
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      try {
        // What is there comes first, so nothing is missed between two watches.
        this.#entries = await this.#bucket.watch();
        if (this.#isClosed) this.#entries.stop();
        for await (const _ of this.#entries) {
          if (this.#isClosed) return;
          this.#changed();
        }
      } catch {
        // nobody answered: again
      }
      if (!this.#isClosed) await new Promise((resolve) => setTimeout(resolve, watchAgainMs));
    }
  }
}

// Shards as the process hosts them, as members of one cluster in this thread: real files, and in
// memory what they share. Their time runs faster than the machine's.

import { mkdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ClusterPorts, MemberTime } from '../../../../actors/runtime/cluster/ports.ts';
import type {
  ClusterData,
  ClusterFigures,
  ClusterOwners,
  PartitionOwner,
} from '../../../../actors/runtime/cluster/protocol.ts';
import { hostShard } from '../../../../actors/runtime/host.ts';
import type { ShardData } from '../../../../actors/runtime/protocol.ts';
import { sandboxSenders } from '../../../../actors/tenants/accounts/sender.ts';
import type { Answer, Message } from '../../../../engine/actor/message.ts';
import { partitionOf } from '../../../../engine/actor/placement.ts';
import { Router } from '../../../../engine/actor/router.ts';
import { MemoryBeats } from '../../../../engine/cluster/beats.ts';
import { MemoryBucket, MemoryDirectory } from '../../../../engine/cluster/memory-directory.ts';
import { MemoryLog, MemoryStream } from '../../../../engine/log/memory-log.ts';
import { inlineHost } from '../../../../engine/thread/host.ts';
import type { Port } from '../../../../engine/thread/link.ts';
import { systemClock } from '../../../../engine/time/clock.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';

/** A client gives up a call then, and makes it again. */
const patienceMs = 5_000;

/** Answers of a server that does not own the partition, or no more. */
const again = new Set(['moved', 'unanswered', 'shutting_down']);

function fastTime(speed: number): MemberTime {
  const beganMs = systemClock.now();
  return {
    monotonic: () => systemClock.monotonic() * speed,
    wall: () => beganMs + systemClock.monotonic() * speed,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms / speed)),
    every: (ms, task) => {
      const timer = setInterval(task, ms / speed);
      return () => clearInterval(timer);
    },
  };
}

interface NodeOptions {
  readonly dataDir?: string;
  readonly dispatchers?: readonly Port[];
  /** One of so many shard threads of a node. */
  readonly thread?: { readonly index: number; readonly shards: number; readonly node: string };
}

/** One node, with one shard. */
export class TestNode {
  readonly name: string;
  readonly dataDir: string;
  /** Nothing goes out and nothing comes in, as if its machine had died. */
  isCut = false;
  readonly leases: SharedArrayBuffer;
  owners: readonly PartitionOwner[] | undefined;
  #onOwners: ((owners: readonly PartitionOwner[]) => void) | undefined;
  readonly #host: ReturnType<typeof inlineHost<ShardData>>;
  readonly #router: Router;

  constructor(world: TestCluster, name: string, options: NodeOptions = {}) {
    const { dataDir = temporaryDirectory(), dispatchers = [] } = options;
    const { thread = { index: 0, shards: 1, node: name } } = options;
    const { index, shards, node: zone } = thread;
    this.name = name;
    this.dataDir = dataDir;
    const { partitions } = world;
    this.leases = new SharedArrayBuffer(4 * partitions);
    const cluster: ClusterData = {
      ...{ cluster: 'test', member: name, zone, address: name, version: '0' },
      ...{ copies: 2, generation: 1, natsServers: [], natsMonitors: [], allowsUnsafe: false },
      leases: this.leases,
    };
    const data: ShardData = {
      ...{ index, shards, partitions, dispatchers: dispatchers.length, dataDir, cluster },
      ...{ erasuresDir: undefined, backupDays: 30, publicUrl: 'http://engage.test' },
      ...{ masterKey: Buffer.alloc(32, 7).toString('base64'), logLevel: 'fatal', hasRelay: true },
      ...{ credentialsRequired: false, charges: false, senders: sandboxSenders },
      allowHttpEndpoints: true,
    };
    const ports = async (): Promise<ClusterPorts> => world.portsOf(this);
    this.#host = inlineHost((start) => hostShard(start, ports), data, dispatchers);
    this.#router = new Router({
      partitions,
      shards: [this.#host.port],
      clock: systemClock,
      onNotice: (message) => {
        if (message.kind !== 'cluster.owners') return;
        this.owners = (message as ClusterOwners).owners;
        this.#onOwners?.(this.owners);
      },
    });
  }

  onOwners(callback: (owners: readonly PartitionOwner[]) => void): void {
    this.#onOwners = callback;
  }

  ask(to: number, kind: string, body: object = {}): Promise<Answer> {
    return this.#router.ask(to, { kind, by: -1, ...body } as Message);
  }

  async thread<Reply>(message: object): Promise<Reply> {
    const answer = await this.#router.askShard(0, message as Message);
    if (!answer.ok) throw new Error(answer.fault.message);
    return answer.value as Reply;
  }

  cluster(): Promise<ClusterFigures> {
    return this.thread({ kind: 'thread.cluster' });
  }

  async role(partition: number): Promise<string | undefined> {
    return (await this.cluster()).copies.find((one) => one.partition === partition)?.role;
  }

  async close(): Promise<void> {
    await this.#host.close();
  }
}

export class TestCluster {
  readonly partitions: number;
  readonly time: MemberTime;
  readonly streams: readonly MemoryStream[];
  readonly nodes = new Map<string, TestNode>();
  readonly #bucket = new MemoryBucket();
  readonly #beats = new MemoryBeats();

  /** `speed`: how much faster time runs. */
  constructor(partitions: number, speed = 15) {
    this.partitions = partitions;
    this.time = fastTime(speed);
    this.streams = Array.from({ length: partitions }, () => new MemoryStream());
  }

  start(name: string, options?: NodeOptions): TestNode {
    const node = new TestNode(this, name, options);
    this.nodes.set(name, node);
    return node;
  }

  portsOf(node: TestNode): ClusterPorts {
    const carry = async <T>(call: () => T): Promise<T | undefined> => {
      if (!node.isCut) return call();
      await this.time.wait(2_000);
      return undefined;
    };
    const logs = this.streams.map((stream) => new MemoryLog(stream, carry));
    return {
      directory: new MemoryDirectory(this.#bucket, carry),
      beats: this.#beats.open(() => node.isCut),
      time: this.time,
      log: (partition) => logs[partition] as MemoryLog,
      fetchCopy: (from, partition, into) => this.#copy(from, partition, into),
      close: async () => {},
    };
  }

  /** Asks whoever owns it, until somebody answers: what is asked may be done twice. */
  async ask(to: number, kind: string, body: object = {}): Promise<Answer> {
    const partition = partitionOf(to, this.partitions);
    for (;;) {
      const owner = this.ownerOf(partition);
      const answer = await Promise.race([
        owner?.ask(to, kind, body),
        this.time.wait(patienceMs).then(() => undefined),
      ]);
      if (answer?.ok === true) return answer;
      if (answer !== undefined && !again.has(answer.fault.code)) return answer;
      await this.time.wait(50);
    }
  }

  async value<Reply>(to: number, kind: string, body: object = {}): Promise<Reply> {
    const answer = await this.ask(to, kind, body);
    if (!answer.ok) throw new Error(`${kind}: ${answer.fault.message}`);
    return answer.value as Reply;
  }

  /** As nodes that are not cut off know it: the newest term. */
  ownerOf(partition: number): TestNode | undefined {
    const known = this.live.flatMap(({ owners }) => owners ?? []);
    const [newest] = known
      .filter((owner) => owner.partition === partition)
      .sort((one, other) => other.term - one.term);
    return newest && this.nodes.get(newest.member);
  }

  get live(): readonly TestNode[] {
    return [...this.nodes.values()].filter(({ isCut }) => !isCut);
  }

  /** Looks again and again; members' time passes meanwhile. */
  async until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
    for (let looks = 0; !(await isSo()); looks++) {
      if (looks > 2_000) throw new Error(`it never came: ${what}`);
      await this.time.wait(100);
    }
  }

  /** Each partition has an owner, and the plan's copies stand by. */
  async settled(copies = 2): Promise<void> {
    await this.until(async () => {
      const figures = await Promise.all(this.live.map((node) => node.cluster()));
      const all = figures.flatMap((one) => one.copies);
      const partitions = [...Array(this.partitions).keys()];
      return partitions.every((partition) => {
        const roles = all.filter((one) => one.partition === partition).map(({ role }) => role);
        return (
          roles.filter((role) => role === 'owner').length === 1 &&
          roles.filter((role) => role === 'standby').length === copies - 1 &&
          roles.length === copies
        );
      });
    }, 'an owner and standbys of each partition');
  }

  async close(): Promise<void> {
    await Promise.all([...this.nodes.values()].map((node) => node.close()));
  }

  async #copy(from: string, partition: number, into: string): Promise<boolean> {
    const source = this.nodes.get(from);
    if (source === undefined || source.isCut) return false;
    const folder = `${into}.all`;
    mkdirSync(folder, { recursive: true });
    await source.thread({ kind: 'thread.copy', partition, into: folder });
    const name = String(partition).padStart(2, '0');
    mkdirSync(dirname(into), { recursive: true });
    renameSync(join(folder, 'partitions', name), into);
    return true;
  }
}

/** An org with an app in a partition, where that is the slot's. */
export async function anApp(world: TestCluster, partition: number): Promise<number> {
  const key = { id: 'key_00000000000000000000000000', keyId: '000000000000' };
  const { org } = await world.value<{ org: { ordinal: number } }>(
    partition + world.partitions,
    'org.create',
    {
      ...{ orgId: 'org_00000000000000000000000000', name: 'Acme', parentOrgId: null },
      key: { ...key, secretHash: Buffer.alloc(32) },
    },
  );
  const vapid = { publicKey: 'public', privateKey: 'private' };
  const body = { name: 'Shop', timezone: 'UTC', vapid };
  return (await world.value<{ ordinal: number }>(org.ordinal, 'app.create', body)).ordinal;
}

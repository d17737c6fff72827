// A partition with the whole product on two servers that share its log, each with files of its own:
// one follows, takes over, and the other one opens its memory anew.

import { setImmediate as turned } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import t from 'tap';
import {
  foldOf,
  openFiles,
  openMemory,
  type RunningPartition,
} from '../../../actors/runtime/open-partition.ts';
import type { ShardData } from '../../../actors/runtime/protocol.ts';
import { restoreLists } from '../../../actors/runtime/restore-lists.ts';
import { textSealer } from '../../../actors/sealer.ts';
import { sandboxSenders } from '../../../actors/tenants/accounts/sender.ts';
import type { Answer, Effect, Message } from '../../../engine/actor/message.ts';
import { PartitionCopy } from '../../../engine/log/copy.ts';
import { MemoryLog, MemoryStream } from '../../../engine/log/memory-log.ts';
import { createLog } from '../../../engine/observe/log.ts';
import { erasuresFolder, readErasures } from '../../../storage/erasures.ts';
import { createSealer } from '../../../storage/sealed.ts';
import { temporaryDirectory } from '../../storage/support/directory.ts';

const sealer = textSealer(createSealer([new Uint8Array(32).fill(7)]));

class Server {
  readonly dataDir = temporaryDirectory();
  readonly emitted: Effect[] = [];
  readonly copy: PartitionCopy;
  opened: RunningPartition | undefined;
  /** How often memory was opened. */
  count = 0;

  constructor(stream: MemoryStream, writer: number) {
    const data: ShardData = {
      ...{ index: 0, shards: 1, partitions: 1, dispatchers: 1, dataDir: this.dataDir },
      ...{ erasuresDir: undefined, backupDays: 30, logLevel: 'error', charges: false },
      ...{ masterKey: undefined, publicUrl: 'http://engage.test', hasRelay: true },
      ...{ credentialsRequired: false, senders: sandboxSenders, allowHttpEndpoints: true },
    };
    const log = createLog({ level: 'error', thread: 'test' });
    const options = {
      ...{ data, sealer, log },
      lists: restoreLists(`${this.dataDir}/${erasuresFolder}`, log),
      output: {
        emit: (effect: Effect) => void this.emitted.push(effect),
        onRead: () => {},
        isDiskFull: () => false,
        onGrown: () => {},
      },
    };
    const files = openFiles(0, options);
    this.copy = new PartitionCopy({
      files: files.store,
      log: new MemoryLog(stream),
      generation: 1,
      writer,
      open: (over) => {
        this.opened?.scheduler.end();
        this.opened = openMemory(files, over, { address: this.count++ }, options).opened;
        return foldOf(this.opened);
      },
      wait: () => turned(),
    });
  }

  get partition() {
    return (this.opened as RunningPartition).partition;
  }

  ask(to: number, kind: string, body: object = {}): Promise<Answer> {
    return new Promise((answer) => {
      const message = { kind, by: -1, ...body } as Message;
      const deadlineMs = Number.POSITIVE_INFINITY;
      this.partition.deliver({
        to,
        lane: 'express',
        deadlineMs,
        message,
        bytes: undefined,
        answer,
      });
    });
  }

  async value<Reply>(to: number, kind: string, body: object = {}): Promise<Reply> {
    const answer = await this.ask(to, kind, body);
    if (!answer.ok) throw new Error(`${kind}: ${answer.fault.message}`);
    return answer.value as Reply;
  }

  memory(): unknown {
    const parts = structuredClone(this.partition.snapshot());
    return parts.map(({ name, value }) => [name, { ...(value as object), atMs: 0 }]);
  }

  erased(): number {
    (this.opened as RunningPartition).erasures.flush();
    return readErasures(`${this.dataDir}/${erasuresFolder}`)?.length ?? 0;
  }

  async close(): Promise<void> {
    await this.copy.close();
    this.opened?.scheduler.end();
    await this.opened?.store.close();
  }
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await turned();
}

function person(externalUserId: string) {
  return { subscriber: { externalUserId, devices: [] } };
}

async function anApp(server: Server): Promise<number> {
  const { org } = await server.value<{ org: { ordinal: number } }>(6, 'org.create', {
    orgId: 'org_00000000000000000000000000',
    name: 'Acme',
    parentOrgId: null,
    key: {
      id: 'key_00000000000000000000000000',
      keyId: '000000000000',
      secretHash: Buffer.alloc(32),
    },
  });
  const vapid = { publicKey: 'public', privateKey: 'private' };
  const body = { name: 'Shop', timezone: 'UTC', vapid };
  return (await server.value<{ ordinal: number }>(org.ordinal, 'app.create', body)).ordinal;
}

t.test('two servers have one partition, and either may own it', async (t) => {
  const stream = new MemoryStream();
  const [one, other] = [new Server(stream, 1), new Server(stream, 2)];
  t.match(await one.ask(6, 'org.create'), { ok: false, fault: { code: 'moved' } });
  t.ok(await one.copy.takeOver(1, Buffer.from('one')));
  const app = await anApp(one);
  await one.value(app, 'subscriber.upsert', person('ana'));
  await one.value(app, 'subscriber.erase', { ref: { externalUserId: 'ana' } });
  const isEqual = () =>
    one.partition.seq === other.partition.seq && isDeepStrictEqual(one.memory(), other.memory());
  await until(isEqual);
  t.equal(other.emitted.length, 0, 'a standby lets nothing leave');
  t.ok(
    one.emitted.some(({ port, message }) => port === 'host' && 'erasure' in message),
    'the owner lists an erased person by an effect',
  );
  t.equal(other.erased(), 1, 'a standby by what it folds');

  // What is under way when the other one claims was done, or was not.
  const underWay = one.ask(app, 'subscriber.upsert', person('bo'));
  t.ok(await other.copy.takeOver(2, Buffer.from('other')));
  const answer = await Promise.race([underWay, until(() => one.count === 2).then(() => underWay)]);
  const read = await other.ask(app, 'subscriber.read', { ref: { externalUserId: 'bo' } });
  t.equal(read.ok, answer.ok, 'the owner of now has what was acknowledged, and nothing else');
  one.copy.idle();
  await until(() => one.count === 2 && one.copy.role === 'standby');
  t.match(await one.ask(app, 'subscriber.read', { ref: { externalUserId: 'bo' } }), {
    ok: false,
    fault: { code: 'moved' },
  });
  await other.value(app, 'subscriber.upsert', person('cy'));
  await until(isEqual);

  // And back again.
  t.ok(await one.copy.takeOver(3, Buffer.from('one')));
  t.ok((await one.ask(app, 'subscriber.read', { ref: { externalUserId: 'cy' } })).ok);
  other.copy.idle();
  await until(() => other.copy.role === 'standby');
  await until(isEqual);
  await Promise.all([one.close(), other.close()]);
});

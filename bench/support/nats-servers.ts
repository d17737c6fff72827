// Nats-servers on loopback in one cluster, as an operator would run them, for benches and tests:
// started, paused and killed one by one. `ENGAGE_NATS_SERVER` names the binary; without it the one
// in PATH is taken.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const binary = process.env['ENGAGE_NATS_SERVER'] ?? 'nats-server';

/** Why tests with servers cannot run here; `false` if they can. */
export function withoutServers(): string | false {
  const { stdout, status } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  if (status !== 0) return 'there is no nats-server; name one in ENGAGE_NATS_SERVER';
  const [, major, minor] = /v(\d+)\.(\d+)\./.exec(stdout) ?? [];
  const isNew = Number(major) > 2 || (Number(major) === 2 && Number(minor) >= 14);
  return isNew ? false : `nats-server 2.14 or newer is needed, this is ${stdout.trim()}`;
}

interface Ports {
  readonly client: number;
  readonly route: number;
  readonly monitor: number;
}

export class NatsServers {
  readonly #root = mkdtempSync(join(tmpdir(), 'engage-nats-'));
  readonly #ports: readonly Ports[];
  readonly #processes: (ChildProcess | undefined)[] = [];
  /** Servers that acknowledge before they sync. */
  readonly #hasty: readonly number[];

  private constructor(ports: readonly Ports[], hasty: readonly number[]) {
    this.#ports = ports;
    this.#hasty = hasty;
  }

  /** Started and healthy; those of `hasty` acknowledge before they sync. */
  static async start(count = 3, hasty: readonly number[] = []): Promise<NatsServers> {
    const free = await freePorts(3 * count);
    const ports = Array.from({ length: count }, (_, index) => {
      const [client = 0, route = 0, monitor = 0] = free.slice(3 * index);
      return { client, route, monitor };
    });
    const servers = new NatsServers(ports, hasty);
    for (const index of ports.keys()) servers.run(index);
    await servers.healthy();
    return servers;
  }

  /** For clients. */
  get addresses(): readonly string[] {
    return this.#ports.map(({ client }) => `127.0.0.1:${client}`);
  }

  /** Of each server, for its state. */
  get monitors(): readonly string[] {
    return this.#ports.map(({ monitor }) => `http://127.0.0.1:${monitor}`);
  }

  run(index: number): void {
    const { client, route, monitor } = this.#ports[index] as Ports;
    const store = join(this.#root, `n${index}`);
    mkdirSync(store, { recursive: true });
    const others = this.#ports.filter((_, other) => other !== index);
    const routes = others.map((other) => `"nats://127.0.0.1:${other.route}"`).join(', ');
    const sync = this.#hasty.includes(index) ? '' : ', sync_interval: always';
    const file = join(this.#root, `n${index}.conf`);
    writeFileSync(
      file,
      `server_name: n${index}
listen: "127.0.0.1:${client}"
http: "127.0.0.1:${monitor}"
max_payload: 8MB
${others.length === 0 ? '' : `cluster { name: test, listen: "127.0.0.1:${route}", routes: [${routes}] }`}
jetstream { store_dir: "${store}", max_memory_store: 64MB, max_file_store: 4GB${sync} }
`,
    );
    const log = openSync(join(this.#root, `n${index}.log`), 'a');
    this.#processes[index] = spawn(binary, ['-c', file], { stdio: ['ignore', log, log] });
  }

  /** One that is stopped answers nothing any more when this returns. */
  signal(index: number, signal: NodeJS.Signals): void {
    const child = this.#processes[index];
    child?.kill(signal);
    if (signal !== 'SIGSTOP' || child?.pid === undefined || process.platform !== 'linux') return;
    while (!/\) T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8')));
  }

  kill(index: number): Promise<void> {
    const child = this.#processes[index];
    if (child === undefined || child.exitCode !== null || child.signalCode !== null)
      return Promise.resolve();
    return new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGKILL');
    });
  }

  /** Resolves once these servers say that their JetStream is current. */
  async healthy(which: readonly number[] = [...this.#ports.keys()]): Promise<void> {
    for (const index of which) {
      const { monitor } = this.#ports[index] as Ports;
      for (let tries = 0; ; tries++) {
        const isHealthy = await fetch(`http://127.0.0.1:${monitor}/healthz`).then(
          ({ ok }) => ok,
          () => false,
        );
        if (isHealthy) break;
        if (tries > 600) throw new Error(`nats-server ${index} is not healthy`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#ports.map((_, index) => this.kill(index)));
    rmSync(this.#root, { recursive: true, force: true });
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve) =>
        server.listen(0, '127.0.0.1', () => resolve(server)),
      );
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

// Engines and nats-servers as processes on loopback, with a link between any two of them. Without
// nats-servers it is one engine in embedded mode, which shows that the rig itself works.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePorts } from '../../support/server.ts';
import { Network } from './network.ts';
import { RigEngine } from './rig-engine.ts';
import { RigServer, type ServerPorts } from './rig-server.ts';
import { holds } from './who-connected.ts';

export const clusterName = 'rig';
/** Of all engines: what one encrypted, another opens. */
const masterKey = Buffer.alloc(32, 7).toString('base64');
export const bootstrapToken = 'the-bootstrap-token-of-the-rig';

interface RigOptions {
  readonly engines: number;
  /** 0: embedded mode, for one engine alone. */
  readonly servers: number;
  /** Settings of every engine: where providers are. */
  readonly environment: Readonly<Record<string, string>>;
  /** The first engine's files lie on a disk of this size, if this process may mount one. */
  readonly diskSize?: string;
  /** Without links: for figures, since a link costs time. */
  readonly isDirect?: boolean;
}

export class Rig {
  readonly network = new Network();
  readonly engines: RigEngine[] = [];
  readonly servers: RigServer[] = [];
  readonly folder = mkdtempSync(join(tmpdir(), 'engage-rig-'));
  /** Where a small disk is mounted. */
  smallDisk: string | undefined;
  readonly #drawn = new Set<number>();

  /** Ready to serve. */
  static async start(options: RigOptions): Promise<Rig> {
    const rig = new Rig();
    process.once('exit', rig.#clean);
    try {
      if (options.diskSize !== undefined) rig.#mount('engine0', options.diskSize);
      await rig.#makeServers(options);
      await rig.#makeEngines(options);
      for (const { program } of rig.servers) program.launch();
      await Promise.all(rig.servers.map((server) => server.healthy()));
      for (const { program } of rig.engines) program.launch();
      await Promise.all(rig.engines.map((engine) => engine.ready()));
      return rig;
    } catch (error) {
      await rig.stop();
      throw error;
    }
  }

  /** Every program has ended, and every file is gone, when this resolves. */
  async stop(): Promise<void> {
    await Promise.all([...this.engines, ...this.servers].map(({ program }) => program.kill()));
    await this.network.close();
    process.removeListener('exit', this.#clean);
    this.#clean();
  }

  /** All programs run and every link is whole; resolves once they say that they are ready. */
  async healed(): Promise<void> {
    this.network.heal();
    for (const { program } of [...this.servers, ...this.engines]) {
      if (program.isRunning) program.resume();
      else program.launch();
    }
    await Promise.all(this.servers.map((server) => server.healthy()));
    await Promise.all(this.engines.map((engine) => engine.ready()));
  }

  readonly #clean = () => {
    if (this.smallDisk !== undefined) spawnSync('umount', ['-l', this.smallDisk]);
    rmSync(this.folder, { recursive: true, force: true });
  };

  #mount(name: string, size: string): void {
    const path = join(this.folder, name);
    mkdirSync(path);
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
    if (status === 0) this.smallDisk = path;
  }

  /** Nobody listens on them yet, so the next draw may give them again. */
  async #ports(): Promise<readonly [number, number, number]> {
    for (;;) {
      const drawn = await freePorts(3);
      if (drawn.some((port) => this.#drawn.has(port))) continue;
      for (const port of drawn) this.#drawn.add(port);
      return drawn;
    }
  }

  async #makeServers({ servers, isDirect = false }: RigOptions): Promise<void> {
    const names = Array.from({ length: servers }, (_, index) => `server${index}`);
    const ports: ServerPorts[] = [];
    for (const _ of names) {
      const [client, route, monitor] = await this.#ports();
      ports.push({ client, route, monitor });
    }
    // Servers tell each other where else to connect: to nobody.
    const nowhere = await this.network.link('gossip', 'nowhere', () => 0);
    nowhere.way().cut();
    for (const [index, name] of names.entries()) {
      const routes: string[] = [];
      for (const [other, target] of names.entries()) {
        if (other === index) continue;
        const port = ports[other]?.route ?? 0;
        const link = await this.network.link(name, target, () => port);
        routes.push(isDirect ? addressOf(port) : link.address);
      }
      const own = ports[index];
      if (own === undefined) continue;
      const place = { name, folder: this.folder, ports: own };
      this.servers.push(new RigServer({ ...place, routes, nowhere: nowhere.address }));
    }
  }

  async #makeEngines({ engines, environment, isDirect = false }: RigOptions): Promise<void> {
    const names = Array.from({ length: engines }, (_, index) => `engine${index}`);
    for (const name of names) {
      const [front, metrics, internal] = await this.#ports();
      const shared = {
        ...environment,
        ENGAGE_MASTER_KEY: masterKey,
        ENGAGE_BOOTSTRAP_TOKEN: bootstrapToken,
      };
      const cluster =
        this.servers.length === 0
          ? {}
          : await this.#clusterSettings(names, name, internal, isDirect);
      this.engines.push(
        new RigEngine({
          name,
          folder: this.folder,
          ports: { front, metrics, internal },
          environment: { ...shared, ...cluster },
        }),
      );
    }
  }

  async #clusterSettings(
    names: readonly string[],
    name: string,
    internal: number,
    isDirect: boolean,
  ): Promise<Record<string, string>> {
    const others = names.filter((one) => one !== name);
    const callerOf = (port: number, link: number) =>
      this.engines.find(({ program }) => holds(program.pids, port, link))?.name ?? '';
    const entry = await this.network.shared(others, name, () => internal, callerOf);
    const nats: string[] = [];
    for (const server of this.servers) {
      const link = await this.network.link(name, server.name, () => server.clientPort);
      nats.push(isDirect ? addressOf(server.clientPort) : link.address);
    }
    return {
      ENGAGE_CLUSTER: clusterName,
      ENGAGE_CLUSTER_NODE: name,
      ENGAGE_CLUSTER_LISTEN: addressOf(internal),
      ENGAGE_CLUSTER_ADDRESS: isDirect ? addressOf(internal) : entry.address,
      ENGAGE_CLUSTER_NATS: nats.join(','),
      ENGAGE_CLUSTER_NATS_MONITORS: this.servers.map(({ monitor }) => monitor).join(','),
    };
  }
}

const addressOf = (port: number) => `127.0.0.1:${port}`;

// One nats-server of the rig: its routes to the others go through links, and it names no address by
// which they or clients could go past them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../support/server.ts';
import { Program } from './program.ts';

const natsServer = process.env['ENGAGE_NATS_SERVER'] ?? 'nats-server';

export interface ServerPorts {
  readonly client: number;
  readonly route: number;
  readonly monitor: number;
}

interface RigServerOptions {
  readonly name: string;
  readonly folder: string;
  readonly ports: ServerPorts;
  /** Addresses of the links to the others. */
  readonly routes: readonly string[];
  /** An address at which nobody answers. */
  readonly nowhere: string;
}

export class RigServer {
  readonly name: string;
  readonly program: Program;
  readonly #ports: ServerPorts;

  constructor({ name, folder, ports, routes, nowhere }: RigServerOptions) {
    this.name = name;
    this.#ports = ports;
    const store = join(folder, name);
    mkdirSync(store, { recursive: true });
    const file = join(folder, `${name}.conf`);
    const named = routes.map((address) => `"nats://${address}"`).join(', ');
    writeFileSync(
      file,
      `server_name: ${name}
listen: "127.0.0.1:${ports.client}"
http: "127.0.0.1:${ports.monitor}"
max_payload: 8MB
cluster {
  name: rig, listen: "127.0.0.1:${ports.route}", routes: [${named}]
  advertise: "${nowhere}", no_advertise: true
}
jetstream { store_dir: "${store}", max_memory_store: 64MB, max_file_store: 1TB, sync_interval: always }
`,
    );
    const logFile = join(folder, `${name}.log`);
    this.program = new Program({ name, path: natsServer, words: ['-c', file], logFile });
  }

  get monitor(): string {
    return `http://127.0.0.1:${this.#ports.monitor}`;
  }

  get clientPort(): number {
    return this.#ports.client;
  }

  /** Whether it says that its JetStream is current. */
  isHealthy(): Promise<boolean> {
    return fetch(`${this.monitor}/healthz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  async healthy(): Promise<void> {
    const words = () => `${this.name} is not healthy\n${this.program.lastWords()}`;
    await until(() => this.isHealthy(), words, 90_000);
  }
}

// One engine of the rig: `engage start` with a data directory of its own, in a cluster or alone.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { nodeArguments, root } from '../../support/places.ts';
import { until } from '../../support/server.ts';
import { Program } from './program.ts';

interface EnginePorts {
  readonly front: number;
  readonly metrics: number;
  /** Where it listens for the other engines. */
  readonly internal: number;
}

interface RigEngineOptions {
  readonly name: string;
  readonly folder: string;
  readonly ports: EnginePorts;
  /** Beside those that give it a place. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Processes that share two cores with others start slowly. */
const startLimitMs = 120_000;
const stopLimitMs = 40_000;
/** One that ends so often at its start will not do better. */
const startsMax = 10;

/** What runs: the built server, with `ENGAGE_RIG_BUILT=1`, or the sources. */
function engineWords(): string[] {
  if (process.env['ENGAGE_RIG_BUILT'] !== '1') return [...nodeArguments('cli/main.ts'), 'start'];
  const built = join(root, 'dist/cli/main.js');
  if (!existsSync(built)) throw new Error('npm run build first');
  return [built, 'start'];
}

export class RigEngine {
  readonly name: string;
  readonly dataDir: string;
  readonly program: Program;
  readonly #ports: EnginePorts;

  constructor({ name, folder, ports, environment }: RigEngineOptions) {
    this.name = name;
    this.dataDir = join(folder, name);
    this.#ports = ports;
    this.program = new Program({
      name,
      path: process.execPath,
      words: engineWords(),
      logFile: join(folder, `${name}.log`),
      environment: {
        ENGAGE_LOG_LEVEL: 'warn',
        ...environment,
        ENGAGE_PORT: String(ports.front),
        ENGAGE_METRICS_PORT: String(ports.metrics),
        ENGAGE_DATA_DIR: this.dataDir,
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#ports.front}`;
  }

  get metricsUrl(): string {
    return `http://127.0.0.1:${this.#ports.metrics}`;
  }

  get internalPort(): number {
    return this.#ports.internal;
  }

  isReady(): Promise<boolean> {
    return fetch(`${this.metricsUrl}/readyz`, { signal: AbortSignal.timeout(2_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
  }

  /** Starts it again should it have ended: a supervisor does. */
  async ready(): Promise<void> {
    const words = () => `${this.name} is not ready\n${this.program.lastWords()}`;
    let starts = 0;
    await until(
      () => {
        if (!this.program.isRunning && ++starts > startsMax) throw new Error(words());
        if (!this.program.isRunning) this.program.launch();
        return this.isReady();
      },
      words,
      startLimitMs,
    );
  }

  stop(): Promise<void> {
    return this.program.stop(stopLimitMs);
  }
}

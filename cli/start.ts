// `engage start`: the primary. Runs checks, starts sandbox (in sandbox mode) and engine, prints
// addresses, stops both on SIGINT and SIGTERM.

import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { supervise } from '../engine/cluster/primary.ts';
import { planTopology } from '../engine/cluster/topology.ts';
import { type ErrorLog, lazyLog } from '../engine/observe/lazy-log.ts';
import { type Config, readConfig } from '../http/process/config.ts';
import type { SandboxAddresses } from '../http/process/threads.ts';
import { bannerText, type ReadyMessage } from './banner.ts';
import type { Command } from './command.ts';
import { nodeWarning } from './node-version.ts';
import { onceAsked } from './once-asked.ts';
import { outliveReaders } from './outlive-readers.ts';
import { checkStart } from './preflight.ts';
import { noWords } from './words.ts';

export const command: Command = {
  name: 'start',
  summary: 'Start the server and, in sandbox mode, the simulated providers.',
  usage: 'engage start',
  help: 'Runs until SIGINT or SIGTERM, then drains: requests in progress finish, and everything accepted is stored. `engage config` shows the settings.',
  run: start,
};

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
/** Children need tsx from sources, nothing from dist. */
const execArgv = extension === 'ts' ? ['--import', import.meta.resolve('tsx')] : [];

async function start(words: readonly string[]): Promise<number> {
  noWords(words, command.usage);
  outliveReaders();
  const config = readConfig(process.env);
  await checkStart(config);
  const log = lazyLog({ level: config.logLevel, thread: 'primary' });
  const sandbox = config.mode === 'sandbox' ? await Sandbox.start(config, log) : undefined;
  const { threadPoolSize } = planTopology(config);
  return new Promise((resolve) => {
    const engine = supervise({
      exec: fileURLToPath(new URL(`./engine-process.${extension}`, import.meta.url)),
      args: [],
      execArgv: [
        ...execArgv,
        ...process.execArgv.filter((arg) => /^--(max-old|cpu-prof|heap-prof)/.test(arg)),
      ],
      environment: (restarts) => ({
        ENGINE_RESTARTS: JSON.stringify(restarts),
        UV_THREADPOOL_SIZE: process.env['UV_THREADPOOL_SIZE'] ?? String(threadPoolSize),
        ...(sandbox === undefined ? {} : { ENGINE_SANDBOX: JSON.stringify(sandbox.addresses) }),
      }),
      log,
      onReady: (message) => {
        process.stderr.write(bannerText(config, sandbox?.addresses, withNode(message)));
      },
      onEnd: (code) => {
        sandbox?.stop();
        resolve(code);
      },
    });
    const stop = onceAsked(() => {
      sandbox?.endsSoon();
      engine.stop('SIGTERM');
    });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  });
}

/** With what there is to say of the Node that runs all of this. */
function withNode(message: object): ReadyMessage {
  const ready = message as ReadyMessage;
  const warning = nodeWarning(process.versions.node, Date.now());
  if (warning === undefined) return ready;
  return { ...ready, warnings: [...(ready.warnings ?? []), warning] };
}

interface SandboxReady extends SandboxAddresses {
  readonly kind: 'sandbox.ready';
}

/** Its process ends, and this one prints the sentence once. */
interface SandboxFailed {
  readonly kind: 'sandbox.failed';
  readonly problem: string;
}

/** A child process, restarted on the same ports when it ends. */
class Sandbox {
  addresses: SandboxReady = {
    kind: 'sandbox.ready',
    url: '',
    smtpUrl: '',
    webPushUrl: '',
    providerUrls: {},
  };
  readonly #config: Config;
  readonly #log: ErrorLog;
  #child: ChildProcess | undefined;
  #stopping = false;

  private constructor(config: Config, log: ErrorLog) {
    this.#config = config;
    this.#log = log;
  }

  static async start(config: Config, log: ErrorLog): Promise<Sandbox> {
    const sandbox = new Sandbox(config, log);
    await sandbox.#fork(config.sandboxSmtpPort, config.bouncePort ?? 0, 0);
    return sandbox;
  }

  /** It may have got the same signal, and is not restarted then. */
  endsSoon(): void {
    this.#stopping = true;
  }

  stop(): void {
    this.endsSoon();
    this.#child?.kill('SIGTERM');
  }

  #fork(smtpPort: number, bouncePort: number, dnsPort: number): Promise<void> {
    const child = fork(
      fileURLToPath(new URL(`../sandbox/main.${extension}`, import.meta.url)),
      [],
      {
        execArgv,
        env: {
          ...process.env,
          ENGAGE_SANDBOX_PORT: String(this.#config.sandboxPort),
          ENGAGE_SANDBOX_SMTP_PORT: String(smtpPort),
          ENGAGE_BOUNCE_SMTP_PORT: String(bouncePort),
          SANDBOX_DNS_PORT: String(dnsPort),
          ...stripeWebhook(this.#config),
          SANDBOX_ENGAGE_URL: localUrl(this.#config),
          SANDBOX_DEMO_ENV: join(this.#config.dataDir, 'demo.env'),
          SANDBOX_DIRECTORY: join(this.#config.dataDir, 'sandbox'),
        },
      },
    );
    this.#child = child;
    return new Promise((resolve, reject) => {
      let problem: string | undefined;
      child.on('message', (message: SandboxReady | SandboxFailed) => {
        if (message.kind === 'sandbox.failed') problem = message.problem;
        if (message.kind !== 'sandbox.ready') return;
        this.addresses = message;
        resolve();
      });
      child.once('exit', (code) => {
        reject(new Error(`the sandbox could not start: ${problem ?? `exit code ${code}`}`));
        if (this.#stopping || this.addresses.url === '') return;
        this.#log.error(
          { evt: 'sandbox.exit', code: code ?? -1 },
          'the sandbox exited; restarting it',
        );
        const port = Number(new URL(this.addresses.smtpUrl).port);
        const bouncePort = this.addresses.bouncePort ?? 0;
        const dnsPort = Number(/\d+$/.exec(this.addresses.dnsServers?.[0] ?? '')?.[0] ?? 0);
        setTimeout(
          () => void this.#fork(port, bouncePort, dnsPort).catch(() => undefined),
          1000,
        ).unref();
      });
    });
  }
}

/** Stripe's events come to this machine, whatever the public URL is. */
function stripeWebhook(config: Config): Readonly<Record<string, string>> {
  const { stripe, tls } = config;
  if (stripe === undefined || tls !== undefined) return {};
  return {
    SANDBOX_STRIPE_WEBHOOK: `${localUrl(config)}/v1/webhooks/stripe`,
    SANDBOX_STRIPE_SECRET: stripe.webhookSecret,
  };
}

/** Of this machine; with TLS only the public URL has the name of the certificate. */
function localUrl({ host, port, tls, publicUrl }: Config): string {
  if (tls !== undefined) return publicUrl;
  const isAny = host === '0.0.0.0' || host === '::';
  const name = isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

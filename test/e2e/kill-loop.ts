// Kills the whole server over and over under load and then compares what it kept with what it
// acknowledged: no acknowledged write may be missing, nothing may be there twice, and a provider
// may be called twice only for what was in flight at a kill. Providers stand in this process, so
// they remember across kills.

import { generateKeyPairSync } from 'node:crypto';
import type { Test } from 'tap';
import { below, type Rng, seededRng } from '../../engine/base/rng.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import {
  type Client,
  client,
  makeOrg,
  type RunningServer,
  startServer,
} from '../support/server.ts';
import { Campaigns } from './kill-campaigns.ts';
import { Census } from './kill-census.ts';
import { Load, pause } from './kill-load.ts';
import { Duplicates, sample, verify } from './kill-verdict.ts';
import { WebhookReceiver } from './kill-webhooks.ts';

/** What a loop does. */
interface KillLoop {
  /** At least so many. */
  readonly kills: number;
  readonly seed: number;
  /** Clients that call at once. */
  readonly clients?: number;
}

/** What a loop did and found: `problems` must be empty. */
interface KillReport {
  readonly kills: number;
  readonly people: number;
  /** Of batches too. */
  readonly sends: number;
  readonly batches: number;
  readonly events: number;
  readonly optOuts: number;
  /**
   * Counts of segments that were equal to a recount, after each start; people erased on the way.
   */
  readonly recounts: number;
  readonly erased: number;
  /**
   * Campaigns that came to their end and were compared with what the stand-ins saw, and how many
   * pauses on the way.
   */
  readonly campaigns: number;
  readonly pauses: number;
  /** Calls that a kill left without an answer and that were made again. */
  readonly repeated: number;
  /**
   * Dead letters of sends that eight kills interrupted; they must land when they are sent again.
   */
  readonly redriven: number;
  /**
   * Calls to a provider that were accepted a second time, every one of a send in flight at a kill.
   */
  readonly duplicates: number;
  /** Webhooks that reached the receiver, and attempts that it answered with an error. */
  readonly deliveries: readonly [received: number, failed: number];
  /** How long the kills took, and the comparison afterwards. */
  readonly seconds: readonly [kills: number, comparison: number];
  readonly problems: readonly string[];
}

const clientsDefault = 6;
const sendsPerKill = 600;

/** Kills and verifies. The server and the stand-ins end with the test. */
export async function killLoop(t: Test, options: KillLoop): Promise<KillReport> {
  const sandbox = await startSandbox({ port: 0 });
  t.teardown(() => sandbox.close());
  const environment = environmentOf(sandbox, options.seed);
  const server = await startServer(t, { environment });
  const org = await makeOrg(server, 'Torture', {
    rateLimits: { transactional: null, standard: null },
    dailySendCap: null,
    emailAllowance: null,
  });
  const app = await newApp(org.client, 'Torture');
  const base = `/v1/apps/${app}`;

  const rng = seededRng(options.seed);
  const load = new Load(server, org.client, base, app, sandbox.url);
  const { problems } = load;
  const census = new Census(load, seededRng(options.seed, 'census'));
  const mailing = await newApp(org.client, 'Mailing');
  const campaigns = new Campaigns(
    load,
    client(sandbox.url),
    mailing,
    seededRng(options.seed, 'campaigns'),
  );
  const receiver = await WebhookReceiver.start(t, load, mailing);
  const working = Array.from({ length: options.clients ?? clientsDefault }, (_, index) =>
    load.run(index, seededRng(options.seed + index + 1)),
  );
  working.push(census.run(), campaigns.run());
  const started = performance.now();
  const killed: number[] = [];
  const watch = new Duplicates(client(sandbox.url), killed, problems);
  try {
    for (let turn = 0; killed.length < options.kills; turn++) {
      load.sendsMax = sendsPerKill * (killed.length + 1);
      await pause(50 + below(rng, 451));
      await strike(server, turn, rng, killed);
      await sample(load, rng);
      await census.compare();
      await watch.look();
    }
  } finally {
    for (const one of [load, census, campaigns]) one.stop();
    await Promise.all(working);
  }
  const stopped = performance.now();
  await census.compare();
  await verify(load, client(sandbox.url), campaigns.pairs, problems);
  await watch.look();
  await receiver.verify(load, campaigns, killed);
  const seconds = (from: number, to: number) => Math.round((to - from) / 1000);
  return {
    kills: killed.length,
    people: load.people.length,
    sends: load.sends.length,
    batches: load.batches.length,
    events: load.events.length,
    optOuts: load.people.filter(({ optedOut }) => optedOut).length,
    recounts: census.compared,
    erased: census.erased,
    campaigns: campaigns.compared,
    pauses: campaigns.pauses,
    repeated: load.repeated,
    redriven: load.redriven,
    duplicates: watch.count,
    deliveries: [receiver.deliveries, receiver.failed],
    seconds: [seconds(started, stopped), seconds(stopped, performance.now())],
    problems,
  };
}

/** An app that sends with both stand-ins; gives back its id. */
async function newApp(caller: Client, name: string): Promise<string> {
  const { id } = await caller.must('POST /v1/apps', { name });
  await caller.must(`PATCH /v1/apps/${id}/settings`, {
    email: { fromAddress: 'torture@example.com' },
  });
  await caller.must(`POST /v1/apps/${id}/credentials/fcm`, serviceAccount());
  return id;
}

/** Live mode: a sandbox of the server's own would forget with it whom it had been called for. */
function environmentOf({ smtpUrl, providerUrls }: Sandbox, seed: number): Record<string, string> {
  return {
    ENGAGE_MODE: 'live',
    ENGAGE_EMAIL_DOMAINS: 'example.com',
    ENGAGE_SMTP_URL: smtpUrl,
    ENGAGE_FCM_URL: providerUrls['FCM'] ?? '',
    ENGAGE_GOOGLE_TOKEN_URL: providerUrls['GOOGLE_TOKEN'] ?? '',
    ENGAGE_ALLOW_PRIVATE_NETWORKS: '1',
    ENGAGE_DISPATCHERS: String(1 + (seed % 2)), // two share campaigns
    ENGAGE_LOG_LEVEL: 'error',
  };
}

function serviceAccount(): object {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    type: 'service_account',
    project_id: 'torture',
    client_email: 'sender@torture.iam.example.com',
    private_key: privateKey,
  };
}

/**
 * By turns: a kill of the engine, which its primary starts again; of everything; of everything,
 * twice.
 */
async function strike(
  server: RunningServer,
  turn: number,
  rng: Rng,
  killed: number[],
): Promise<void> {
  if (turn % 3 === 0) {
    const engine = server.enginePid();
    killed.push(Date.now());
    process.kill(engine, 'SIGKILL');
    await server.ready(engine);
    return;
  }
  killed.push(Date.now());
  await server.kill('SIGKILL');
  server.launch();
  if (turn % 3 === 2) {
    // Again, in the middle of the start, where recovery itself writes.
    await pause(100 + below(rng, 1_500));
    killed.push(Date.now());
    await server.kill('SIGKILL');
    server.launch();
  }
  await server.ready();
}

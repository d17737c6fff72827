// Who there is and what they do: orgs and apps at the start, then workers that draw one operation
// after another until the world's share is done or the faults are over.

import type { Rng } from '../../engine/base/rng.ts';
import { fraction, pick } from '../../engine/base/rng.ts';
import {
  changeCredential,
  changeSettings,
  createKey,
  credentialsUsed,
  deleteApp,
  trespass,
} from './account-work.ts';
import { showActivity } from './activity-work.ts';
import {
  changeDevice,
  changeSuppression,
  erasePerson,
  importEverybody,
  importPeople,
  patchPerson,
  readPerson,
  trackEvents,
  upsertPerson,
} from './audience-work.ts';
import { replayBatch, sendBatch } from './batch-work.ts';
import { reportStatus, writeStop } from './callback-work.ts';
import {
  answerCampaign,
  changePolicy,
  makeCampaign,
  mergePerson,
  movePerson,
  steerCampaign,
} from './campaign-work.ts';
import { coin, weighted, whole } from './chance.ts';
import { type Client, type Protocol, pause, persist } from './client.ts';
import { makeJourney, steerJourney } from './journey-work.ts';
import { changeRelay, reportMails, warmUp } from './mail-work.ts';
import { type Model, newAppModel, newPersonModel } from './model.ts';
import { confirmSignUp, importUnconfirmed, leaveTopic, prefer, signUp } from './opt-in-work.ts';
import { changeSegment, countSegment, explainSegment } from './segment-work.ts';
import { readSend, redrive, reuseKey, sendBurst, sendMessage } from './sending-work.ts';
import { changeTemplate } from './template-work.ts';
import { bytesOf, worldId } from './tenants.ts';
import { changeChoice } from './topic-work.ts';
import { ownsDestinations, workOnDestinations } from './webhook-work.ts';
import { endpointsOf, type Worker } from './worker.ts';

const operations = {
  upsertPerson: { weight: 18, run: upsertPerson },
  importPeople: { weight: 6, run: importPeople },
  patchPerson: { weight: 4, run: patchPerson },
  readPerson: { weight: 6, run: readPerson },
  erasePerson: { weight: 2, run: erasePerson },
  changeDevice: { weight: 8, run: changeDevice },
  changeSuppression: { weight: 12, run: changeSuppression },
  trackEvents: { weight: 14, run: trackEvents },
  sendMessage: { weight: 34, run: sendMessage },
  reuseKey: { weight: 8, run: reuseKey },
  sendBatch: { weight: 10, run: sendBatch },
  replayBatch: { weight: 6, run: replayBatch },
  changeTemplate: { weight: 6, run: changeTemplate },
  readSend: { weight: 6, run: readSend },
  redrive: { weight: 3, run: redrive },
  reportStatus: { weight: 8, run: reportStatus },
  writeStop: { weight: 1, run: writeStop },
  changeSettings: { weight: 2, run: changeSettings },
  changeCredential: { weight: 2, run: changeCredential },
  createKey: { weight: 1, run: createKey },
  trespass: { weight: 3, run: trespass },
  countSegment: { weight: 12, run: countSegment },
  explainSegment: { weight: 4, run: explainSegment },
  changeSegment: { weight: 5, run: changeSegment },
  signUp: { weight: 5, run: signUp },
  importUnconfirmed: { weight: 2, run: importUnconfirmed },
  confirmSignUp: { weight: 5, run: confirmSignUp },
  prefer: { weight: 3, run: prefer },
} as const;

/** What campaigns are about, in worlds that have them. */
const campaignOperations = {
  makeCampaign: { weight: 14, run: makeCampaign },
  steerCampaign: { weight: 16, run: steerCampaign },
  answerCampaign: { weight: 16, run: answerCampaign },
  changePolicy: { weight: 4, run: changePolicy },
  movePerson: { weight: 8, run: movePerson },
  changeChoice: { weight: 8, run: changeChoice },
  signUp: { weight: 5, run: signUp },
  confirmSignUp: { weight: 6, run: confirmSignUp },
  leaveTopic: { weight: 4, run: leaveTopic },
  mergePerson: { weight: 6, run: mergePerson },
  showActivity: { weight: 4, run: showActivity },
  upsertPerson: { weight: 12, run: upsertPerson },
} as const;

/** What journeys are about, in worlds that have them. */
const journeyOperations = {
  makeJourney: { weight: 14, run: makeJourney },
  steerJourney: { weight: 14, run: steerJourney },
  trackEvents: { weight: 30, run: trackEvents },
  changePolicy: { weight: 4, run: changePolicy },
  movePerson: { weight: 6, run: movePerson },
  changeChoice: { weight: 6, run: changeChoice },
  mergePerson: { weight: 6, run: mergePerson },
  upsertPerson: { weight: 12, run: upsertPerson },
} as const;

/** What mail relays are about, in worlds that have them. */
const mailOperations = {
  changeRelay: { weight: 10, run: changeRelay },
  reportMails: { weight: 30, run: reportMails },
  sendMessage: { weight: 20, run: sendMessage },
} as const;

type Operation = keyof typeof operations;
const weights = weightsOf(operations) as Record<Operation, number>;
const campaignWeights = weightsOf(campaignOperations) as Record<
  keyof typeof campaignOperations,
  number
>;
const mailWeights = weightsOf(mailOperations) as Record<keyof typeof mailOperations, number>;
const journeyWeights = weightsOf(journeyOperations) as Record<
  keyof typeof journeyOperations,
  number
>;

/** What a worker gets from its world. */
type Surroundings = Pick<
  Worker,
  'model' | 'rng' | 'findings' | 'audit' | 'providers' | 'latestMs' | 'spawn'
>;

/** Founds the orgs and apps of a world and makes their workers. */
export function* found(around: Surroundings, workers: Worker[]): Client {
  const { model, rng } = around;
  const { orgs, appsPerOrg, workersPerApp, peoplePerWorker, dailySendCap } = model.faults;
  for (let o = 0; o < orgs; o++) {
    const slot = whole(rng, 0, 4095);
    const orgId = worldId('org', o);
    const key = {
      id: worldId('key', o),
      keyId: `first${o}`,
      secretHash: bytesOf(`first ${o}`, 32),
    };
    const parent = model.faults.clients ? model.orgs[0]?.ordinal : undefined;
    const ordinal =
      parent === undefined
        ? yield* createOrg(slot, orgId, `Org ${o}`, key)
        : yield* createClient(parent, orgId, `Org ${o}`, key);
    const org = {
      ordinal,
      apps: [] as Model['orgs'][number]['apps'],
    };
    model.orgs.push(org);
    if (dailySendCap !== null) yield* persist(org.ordinal, 'org.set_limits', { dailySendCap });
    for (let a = 0; a < appsPerOrg; a++) {
      const vapid = { publicKey: `public ${a}`, privateKey: `private ${a}` };
      const body = { name: `App ${o}.${a}`, timezone: 'UTC', vapid };
      const { reply } = yield* persist(org.ordinal, 'app.create', body, { by: org.ordinal });
      if (!reply.ok) throw new Error(`no app: ${reply.fault.message}`);
      const app = newAppModel(reply.value.id, reply.value.ordinal, org.ordinal);
      org.apps.push(app);
      for (const channel of credentialsUsed) {
        yield* persist(app.ordinal, 'credential.put', {
          channel,
          fingerprint: 'first',
          credential: { secret: 'first' },
        });
        app.credentials.set(channel, 'first');
      }
      for (let w = 0; w < workersPerApp; w++) {
        const number = workers.length;
        app.firstWorker ??= number;
        const people = Array.from({ length: peoplePerWorker }, (_, p) =>
          newPersonModel(`w${number}p${p}`),
        );
        app.people.push(...people);
        const endpoints = endpointsOf(number, 1 + Math.ceil(peoplePerWorker / 3));
        workers.push({
          ...around,
          number,
          app,
          people,
          endpoints,
          keys: new Map(),
          batches: [],
          templates: new Map(),
          eventIds: [],
          segments: new Map(),
          messages: [],
          campaigns: [],
          journeys: [],
          count: 0,
        });
      }
    }
  }
}

type FirstKey = Protocol['org.create']['body']['key'];

function* createOrg(slot: number, orgId: string, name: string, key: FirstKey): Client<number> {
  const body = { orgId, name, parentOrgId: null, key };
  const { reply } = yield* persist(slot, 'org.create', body);
  if (!reply.ok) throw new Error(`no org: ${reply.fault.message}`);
  return reply.value.org.ordinal;
}

/** As the edge does it: the parent records it, then the client is made. */
function* createClient(
  parent: number,
  clientId: string,
  name: string,
  key: FirstKey,
): Client<number> {
  const body = { clientId, name, key, idempotencyKey: clientId };
  const { reply: opened } = yield* persist(parent, 'client.open', body, { by: parent });
  if (!opened.ok) throw new Error(`no client: ${opened.fault.message}`);
  const { to, workspace } = opened.value;
  const { reply } = yield* persist(to, 'workspace.receive', { workspace });
  if (!reply.ok) throw new Error(`no client: ${reply.fault.message}`);
  return reply.value.ordinal;
}

/** One worker's life. It ends early when its app is deleted or the faults are over (`leftMs`). */
export function* work(worker: Worker, leftMs: () => number, deletes: boolean): Client {
  const { rng, app, model } = worker;
  const { operations: all, chaosMs, bursts, orgs, appsPerOrg, workersPerApp } = model.faults;
  const share = Math.ceil(all / (orgs * appsPerOrg * workersPerApp));
  for (let n = 0; n < share; n++) {
    yield* pause(Math.min(leftMs(), gapMs(rng, chaosMs / share)));
    if (leftMs() <= 0 || app.leaving) return;
    if (deletes && n > share / 2) return yield* deleteApp(worker);
    if (ownsDestinations(worker) && (n === 1 || coin(rng, 0.06))) yield* workOnDestinations(worker);
    if (model.faults.mailRelays && n === 2 && model.faults.campaigns) yield* warmUp(worker);
    if (bursts && coin(rng, 0.01)) yield* sendBurst(worker);
    else if (model.faults.mailRelays && n > 0 && coin(rng, 0.35))
      yield* mailOperations[weighted(rng, mailWeights)].run(worker);
    else if (model.faults.campaigns && n > 0 && coin(rng, 0.4))
      yield* campaignOperations[weighted(rng, campaignWeights)].run(worker);
    else if (model.faults.journeys && n > 0 && coin(rng, 0.5))
      yield* journeyOperations[weighted(rng, journeyWeights)].run(worker);
    else if (n === 0)
      yield* model.faults.campaigns || model.faults.journeys
        ? importEverybody(worker)
        : upsertPerson(worker);
    else yield* operations[weighted(rng, weights)].run(worker);
  }
}

function weightsOf(all: Readonly<Record<string, { readonly weight: number }>>) {
  return Object.fromEntries(Object.entries(all).map(([name, { weight }]) => [name, weight]));
}

/** Short pauses mostly, and long ones that bring the mean to `meanMs`. */
function gapMs(rng: Rng, meanMs: number): number {
  return coin(rng, 0.7) ? fraction(rng) * Math.min(500, meanMs) : fraction(rng) * 6 * meanMs;
}

/** After the faults: every dead letter is sent again. */
export function* redriveAll(workers: readonly Worker[]): Client {
  for (const worker of workers) if (!worker.app.leaving) yield* redrive(worker);
}

/**
 * After the faults: no org has a cap a day any more, or a campaign or a journey would end after
 * weeks.
 */
export function* liftCaps({ orgs }: Model): Client {
  for (const { ordinal } of orgs) yield* persist(ordinal, 'org.set_limits', { dailySendCap: null });
}

/** Every app once, by one of its workers. */
export function oneWorkerAnApp(workers: readonly Worker[]): Worker[] {
  const chosen = new Map<number, Worker>();
  for (const worker of workers)
    if (!chosen.has(worker.app.ordinal)) chosen.set(worker.app.ordinal, worker);
  return [...chosen.values()];
}

/** Somebody deletes an app where there is more than one. */
export function whoDeletes(workers: readonly Worker[], rng: Rng): Worker | undefined {
  const apps = oneWorkerAnApp(workers);
  return apps.length < 2 ? undefined : pick(rng, apps);
}

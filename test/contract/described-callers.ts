// Who calls the operations of the description, and on what: apps with one of everything, and with
// each the keys and tokens that its callers hold.

import type { OpenApiDocument } from '../../http/describe/openapi-types.ts';
import { exampleKey } from '../../http/routes/keys/key-view.ts';
import { exampleClientToken } from '../../http/routes/sdk/sdk-shape.ts';
import type { Operation, World } from '../e2e/described-calls.ts';
import { makeWorld, readyFor } from '../e2e/described-world.ts';
import { client, makeOrg, type RunningServer, type TestOrg } from '../support/server.ts';
import { pageHeaders, browser as signedIn } from '../support/signed-in.ts';
import type { Materials, Trial } from './described-trials.ts';
import { trackedTokens } from './tracked-tokens.ts';

/** An app with one of everything, and what its clients hold. */
export interface OwnWorld {
  readonly world: World;
  /** The ids of the person whose client token it is. */
  readonly clients: Pick<World, 'sub' | 'dev' | 'la'>;
  readonly clientToken: string;
  readonly writeKey: string;
  /** The cookie of a session. */
  readonly cookie: string;
}

/** The callers of one server. */
export class Callers {
  readonly #server: RunningServer;
  readonly #document: OpenApiDocument;
  readonly #org: TestOrg;
  /** What the operator changes, so that it limits nobody else. */
  readonly #spare: TestOrg;
  readonly #tokens: Awaited<ReturnType<typeof trackedTokens>>;
  /** A key without most scopes. */
  readonly #narrow: string;
  #worlds = 0;

  private constructor(
    server: RunningServer,
    document: OpenApiDocument,
    org: TestOrg,
    spare: TestOrg,
    tokens: Awaited<ReturnType<typeof trackedTokens>>,
    narrow: string,
  ) {
    this.#server = server;
    this.#document = document;
    this.#org = org;
    this.#spare = spare;
    this.#tokens = tokens;
    this.#narrow = narrow;
  }

  static async open(server: RunningServer, document: OpenApiDocument, org: TestOrg) {
    const fault = { channel: 'fcm', match: 'never-lands', fault: 'status', value: 503 };
    await client(server.sandboxUrl).must('POST /control/faults', fault);
    const spare = await makeOrg(server, 'Spare');
    const tokens = await trackedTokens(server, org);
    const { key } = await org.client.must('POST /v1/keys', { name: 'narrow', scopes: ['send'] });
    return new Callers(server, document, org, spare, tokens, key);
  }

  /** A world for one operation, or a whole one for all that read. */
  async makeOwn(operation?: Operation): Promise<OwnWorld> {
    const nth = this.#worlds++;
    const org = this.#org;
    const world = await makeWorld(this.#server, org, `world-${nth}`, operation === undefined);
    if (operation !== undefined) await readyFor(operation, org, world);
    const { writeKey } = await org.client.must(`PUT /v1/apps/${world.app}/integrations/cdp`);
    const page = client(this.#server.url, '', { 'x-forwarded-for': `10.8.0.${nth & 255}` });
    const who = { appId: world.app };
    const { clientToken, subscriberId } = await page.must('POST /v1/sdk/subscriber', who);
    const sdk = { ...who, clientToken };
    const browser = { ...sdk, channel: 'fcm', endpoint: `browser-${nth}` };
    const { deviceId } = await page.must('POST /v1/sdk/register', browser);
    const activity = { ...sdk, activityType: 'order', pushToken: 'cd'.repeat(80) };
    const { id: la } = await page.must('POST /v1/sdk/live-activities', activity);
    const visitor = signedIn(this.#server.url);
    await visitor.signIn({ apiKey: org.key });
    const cookie = visitor.cookie();
    const clients = { sub: subscriberId, dev: deviceId, la };
    return { world, clients, clientToken, writeKey, cookie };
  }

  /** What an operation's trials are made from in this world. */
  materialsFor(
    operation: Operation,
    all: OwnWorld,
    amount: Pick<Materials, 'seed' | 'bodies'>,
  ): Materials {
    const isClients = operation.path.startsWith('/v1/sdk/');
    const ofOperator = operation.spec.security.some((one) => 'bootstrap' in one);
    const own: World = {
      ...all.world,
      ...(isClients ? all.clients : {}),
      ...(ofOperator ? { org: this.#spare.id } : {}),
    };
    const otherCredentials = {
      'a key of another scope': `Bearer ${this.#narrow}`,
      'a client token': `Bearer ${all.clientToken}`,
      'an unknown key': `Bearer ek_${'0'.repeat(12)}_${'b'.repeat(43)}`,
      'no form of a key': 'Bearer nonsense',
      'a write key': basic(all.writeKey),
    };
    const credential = this.#credentialOf(operation, all);
    return { document: this.#document, own, credential, otherCredentials, ...amount };
  }

  #credentialOf({ spec, line }: Operation, all: OwnWorld): Readonly<Record<string, string>> {
    const kinds = spec.security.flatMap((one) => Object.keys(one));
    if (line === 'POST /e' || kinds.length === 0) return {};
    if (kinds.includes('apiKey')) return { authorization: `Bearer ${this.#org.key}` };
    if (kinds.includes('session')) return { cookie: all.cookie, ...pageHeaders };
    if (kinds.includes('bootstrap'))
      return { authorization: `Bearer ${this.#server.bootstrapToken}` };
    if (kinds.includes('clientToken')) return { authorization: `Bearer ${all.clientToken}` };
    return { authorization: basic(all.writeKey) };
  }

  /** The operation with those parts of its path filled in that no table of ids knows. */
  located(operation: Operation, { world }: OwnWorld): Operation {
    const { path } = operation;
    const kind = path.slice(1, 2) as 'o' | 'c' | 'u';
    const filled = path
      .replace('{token}', () => this.#tokens[kind])
      .replace(/(?<!apps\/)\{appId\}/, world.app);
    return { ...operation, path: filled };
  }

  /**
   * A trial that is meant to succeed does so to a campaign that nothing was done to, and archives a
   * journey that is not live.
   */
  async prepared(trial: Trial, all: OwnWorld): Promise<Trial> {
    const { operation, isMeant } = trial;
    const { method, path } = operation;
    const { world } = all;
    const works = method === 'DELETE' || (isMeant && method !== 'GET');
    let { line } = trial;
    if (works && line.includes(world.cmp))
      line = line.replace(world.cmp, await this.#newCampaign(operation, all));
    if (isMeant && path.endsWith('/journeys/{id}/archive'))
      line = line.replace(world.jrn, await this.#newJourney(all));
    return { ...withSecrets(trial, all, this.#org.key), line };
  }

  async #newJourney({ world }: OwnWorld): Promise<string> {
    const line = `POST /v1/apps/${world.app}/journeys/${world.jrn}/duplicate`;
    return (await this.#org.client.must(line, {})).id;
  }

  async #newCampaign(operation: Operation, { world }: OwnWorld): Promise<string> {
    const line = `POST /v1/apps/${world.app}/campaigns/${world.cmp}/duplicate`;
    const { id } = await this.#org.client.must(line, {});
    await readyFor(operation, this.#org, { app: world.app, cmp: id });
    return id;
  }
}

function basic(key: string): string {
  return `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
}

/** The examples' client token and API key are the ones that the caller holds. */
function withSecrets(trial: Trial, { clientToken }: OwnWorld, key: string): Trial {
  if (typeof trial.body !== 'object') return trial;
  const body = JSON.stringify(trial.body)
    .replaceAll(exampleClientToken, clientToken)
    .replaceAll(exampleKey, key);
  return { ...trial, body, headers: { 'content-type': 'application/json', ...trial.headers } };
}

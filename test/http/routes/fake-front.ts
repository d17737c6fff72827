// A front without a server and without actors: the real pipeline and routes, over a router that
// answers as the test says. It shows the messages that a route sends, and what it makes of the
// answers.

import type { Tracked } from '../../../actors/channels/email/tracked.ts';
import { credentialMark } from '../../../actors/tenants/accounts/credential-mark.ts';
import type { KeyGrant } from '../../../actors/tenants/accounts/protocol.ts';
import type { Asker } from '../../../engine/actor/asker.ts';
import type { Answer, Message } from '../../../engine/actor/message.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import type { Clock } from '../../../engine/time/clock.ts';
import { Admission } from '../../../http/call/admission/admit.ts';
import { Authenticator, makeKey } from '../../../http/call/admission/authenticate.ts';
import { CredentialDirectory } from '../../../http/call/admission/credential-directory.ts';
import { grantOfKey } from '../../../http/call/admission/gate.ts';
import type { Edge } from '../../../http/call/edge.ts';
import { pipeline } from '../../../http/call/pipeline.ts';
import { referenceSpecials } from '../../../http/describe/openapi.ts';
import { cdpSpecial } from '../../../http/ingest/cdp.ts';
import { ingestSpecial, noIngestFigures } from '../../../http/ingest/events.ts';
import { ingestPattern } from '../../../http/ingest/pattern.ts';
import { readConfig } from '../../../http/process/config.ts';
import { MailPreviews } from '../../../http/process/mail-previews.ts';
import { routes } from '../../../http/routes/index.ts';
import type {
  HeaderList,
  HttpHandler,
  HttpRequest,
  HttpResponder,
} from '../../../http/server/exchange.ts';

/** The instant at which everything happens, until a test moves the clock. */
const nowMs = 1_790_000_000_000;
/** The ordinals of the tests' org and app, both of slot 77. */
const org = 4173;
export const app = 8269;

/** One message that a route sent. */
export interface Asked {
  readonly to: number;
  readonly message: Message & Readonly<Record<string, unknown>>;
}

/** What came back. */
export interface Got {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly json: unknown;
}

/** A request as a test words it. `key` picks one of the front's keys, or is a token itself. */
interface Sent {
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly from?: string;
}

type Answering = (message: Asked['message'], to: number) => unknown;

/**
 * The front. `answer` gives the value of each message, or throws a fault (`{fault}`). `environment`
 * are its settings.
 */
export function fakeFront(
  answer: Answering = () => null,
  environment: Readonly<Record<string, string>> = { ENGAGE_MODE: 'sandbox' },
) {
  const asked: Asked[] = [];
  const looked: string[] = [];
  const bugs: unknown[] = [];
  let now = nowMs;
  let ready = true;
  const directory = new CredentialDirectory();
  const keys = new Keys(directory);
  const router = routerOf((to, message): Answer => {
    if (message.kind === 'key.find') {
      const { keyId } = message as unknown as { readonly keyId: string };
      looked.push(keyId);
      return { ok: true, value: keys.grantOf(keyId) };
    }
    // A refused call with a key asks whether the app may be seen, too.
    const { by } = message as unknown as { readonly by: number };
    if (message.kind !== 'app.read' || by < 0)
      asked.push({ to, message: message as Asked['message'] });
    try {
      return { ok: true, value: answer(message as Asked['message'], to) };
    } catch (thrown) {
      return { ok: false, ...(thrown as Pick<Extract<Answer, { ok: false }>, 'fault'>) };
    }
  });
  const clock: Clock = { now: () => now, monotonic: () => 0 } as Clock;
  const config = readConfig(environment);
  const edge: Edge = {
    config,
    router,
    authenticator: new Authenticator({ router: () => router, clock, directory, bootstrapToken }),
    admission: new Admission({ clock, perIpPerMinute: config.perIpPerMinute }),
    clock,
    rng: seededRng(7),
    log: { error: (fields: unknown) => bugs.push(fields) } as unknown as Edge['log'],
    ready: () => ready,
    lookUpTxt: async () => ({ answer: 'none' }),
    lookUpCname: async () => ({ answer: 'none' }),
    ...keyed,
    mailPreviews: new MailPreviews(),
    credentials: directory,
    keyGrant: (text, who) => grantOfKey(edge, text, who),
    mailSignInLink: () => {},
  };
  const handler = handlerOf(edge);
  return {
    asked,
    /** Lists a credential, as a partition does. */
    list: (name: string, hash: Uint8Array) =>
      directory.add({ marks: [credentialMark(name, hash)] }),
    looked,
    addKey: (name: string, change: Partial<KeyGrant>) => keys.add(name, change),
    removeKey: (name: string) => edge.authenticator.drop([keys.remove(name)]),
    keyText: (name: string) => keys.textOf(name) ?? '',
    bugs,
    /** Makes a call: `POST /v1/apps`. */
    call: (line: string, { key = 'all', ...sent }: Sent = {}) => {
      const token = key === 'bootstrap' ? bootstrapToken : (keys.textOf(key) ?? key);
      return callOf(handler, line, token, sent);
    },
    edge,
    handler,
    pass: (ms: number) => (now += ms),
    setReady: (is: boolean) => (ready = is),
  };
}

const someone = 'ada<b>@example.com';

const keyed: Pick<
  Edge,
  | 'clientKeyBytes'
  | 'openConfirm'
  | 'openMailStop'
  | 'openPreferences'
  | 'openUnsubscribe'
  | 'placeOf'
  | 'preferencesPath'
  | 'readTracked'
  | 'isBurst'
  | 'dmarcAddress'
> = {
  openConfirm: () => undefined,
  openPreferences: () => undefined,
  preferencesPath: () => '/p/token',
  openUnsubscribe: (token) =>
    token === 'good' ? { app, address: someone, isMarketing: false } : undefined,
  readTracked: (token) => tracked[token],
  isBurst: () => false,
  dmarcAddress: () => null,
  openMailStop: (token) => (token === 'good' ? someone : undefined),
  placeOf: (address) => `place of ${address}`,
  clientKeyBytes: () => [new Uint8Array(38)],
};

function handlerOf(edge: Edge): HttpHandler {
  const specials = [
    ingestSpecial(edge, noIngestFigures()),
    cdpSpecial(edge, () => {}),
    ...referenceSpecials(edge, routes, () => {}),
  ];
  return pipeline({ edge, routes, specials, postOutside: ingestPattern });
}

const bootstrapToken = 'bootstrap-token-of-the-tests';

/** The keys of the org, by the names that tests give them: `all`, and one for each scope. */
class Keys {
  readonly #keys = new Map<
    string,
    { readonly text: string; readonly grant: KeyGrant; readonly keyId: string }
  >();

  readonly #directory: CredentialDirectory;

  constructor(directory: CredentialDirectory) {
    this.#directory = directory;
    this.add('all', {});
    for (const scope of ['read', 'write', 'send', 'admin'] as const)
      this.add(scope, { scopes: [scope] });
  }

  add(name: string, change: Partial<KeyGrant>): void {
    const { text, keyId, secretHash } = makeKey(77);
    const grant: KeyGrant = {
      keyObjectId: `key_${name}`,
      secretHash,
      scopes: ['read', 'write', 'send', 'admin'],
      org,
      orgId: 'org_test',
      app: null,
      appId: null,
      rateLimits: { transactional: 6000, standard: 1200 },
      ...change,
    };
    this.#keys.set(name, { text, grant, keyId });
    this.#directory.add({ marks: [credentialMark(keyId, secretHash)] });
  }

  /** Removes a key, and returns its id. */
  remove(name: string): string {
    const { keyId = '' } = this.#keys.get(name) ?? {};
    this.#keys.delete(name);
    return keyId;
  }

  textOf(name: string): string | undefined {
    return this.#keys.get(name)?.text;
  }

  grantOf(keyId: string): KeyGrant | null {
    return [...this.#keys.values()].find((one) => one.keyId === keyId)?.grant ?? null;
  }
}

function routerOf(answerTo: (to: number, message: Message) => Answer): Asker {
  return {
    ask: async (to: number, message: Message) => answerTo(to, message),
    askThen: (to: number, message: Message, _options: object, then: (answer: Answer) => void) =>
      then(answerTo(to, message)),
  } as unknown as Asker;
}

async function callOf(
  handler: HttpHandler,
  line: string,
  token: string,
  { headers = {}, body, from = '127.0.0.1' }: Omit<Sent, 'key'>,
): Promise<Got> {
  const [method = '', target = ''] = line.split(' ');
  const [path = '', query = ''] = target.split('?');
  const sent: Record<string, string> = {
    ...(token === 'none' ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  };
  const request: HttpRequest = {
    method,
    path,
    query,
    header: (name) => sent[name] ?? '',
    has: (name) => name in sent,
    headers: () => sent,
    remoteAddress: from,
  };
  let got: Got | undefined;
  const response = {
    aborted: false,
    done: false,
    send: (status: number, list: HeaderList, content: string | Uint8Array) => {
      const text = typeof content === 'string' ? content : Buffer.from(content).toString();
      const json: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
      got = { status, headers: Object.fromEntries(list), text, json };
    },
  } as unknown as HttpResponder;
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? null));
  await handler(request, response)?.(body === undefined ? Buffer.alloc(0) : bytes);
  // A call whose body nobody wants may be answered later.
  for (let turn = 0; turn < 9 && got === undefined; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  if (got === undefined) throw new Error(`${line} was not answered`);
  return got;
}

/** The mail of the tokens `open` and `link`. */
export const trackedMail = {
  ...{ app, sendId: 'ntf_1', deviceId: 'dev_1', person: 3, mark: 'mark' },
  url: 'https://shop.example.com/a?b=1&c=%20#d',
};

const tracked: Readonly<Record<string, Tracked>> = {
  open: { ...trackedMail, kind: 'opened' },
  link: { ...trackedMail, kind: 'clicked', url: trackedMail.url },
};

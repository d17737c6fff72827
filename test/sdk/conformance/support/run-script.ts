// Runs a script on an SDK. The server is made up from the script's own answers, or is a real one,
// whose answers must then be as the script says.

import type { Driver, GivenAnswer, MadeRequest, Report, Sdk } from './driver.ts';
import type { Exchange, Json, JsonObject, Outcome, Script, ServerCall, Step } from './script.ts';
import { passingMs } from './script.ts';
import { Variables } from './variables.ts';

interface AdminCall {
  readonly line: string;
  readonly body: Json | undefined;
  /** Of its answer, if not 2xx. */
  readonly status: number | undefined;
}

/** Where the SDK's calls go. */
export interface ConformanceServer {
  readonly baseUrl: string;
  readonly appId: string;
  readonly secret: string;
  /** Undefined if the server is made up. */
  readonly real?: {
    send(request: MadeRequest): Promise<GivenAnswer>;
    /** A call with an API key. Throws if the answer is never as asked for. */
    administer(
      call: AdminCall,
      isRight: ((answer: Json) => string | undefined) | undefined,
    ): Promise<void>;
  };
}

export const madeUpServer: ConformanceServer = {
  baseUrl: 'https://engage.example',
  appId: 'app_conformance',
  secret: 'a secret of the app',
};

/** Headers that nobody may send unasked: they say who it is. */
const tellingHeaders = ['authorization', 'idempotency-key', 'if-none-match'];

/** Throws with the step and what was wrong. */
export async function runScript(
  script: Script,
  sdk: Sdk,
  server: ConformanceServer,
): Promise<void> {
  // A real server takes no event of the future, and time passes at once.
  const startMs = Date.now() - passingMs(script);
  const driver = await sdk.start({ startMs, appId: server.appId });
  const run = new Run(driver, server, startMs);
  try {
    await run.begin();
    for (const [at, step] of script.steps.entries())
      try {
        await run.step(step);
      } catch (error) {
        const words = JSON.stringify(step).slice(0, 200);
        throw new Error(`step ${at + 1}, ${words}\n${(error as Error).message}`);
      }
    run.nothingLeft();
  } finally {
    await driver.end();
  }
}

class Run {
  readonly #driver: Driver;
  readonly #server: ConformanceServer;
  readonly #variables: Variables;
  #requests: MadeRequest[] = [];
  #ends: Report['ends'][number][] = [];
  #heard: Report['heard'][number][] = [];
  #passedMs = 0;

  constructor(driver: Driver, server: ConformanceServer, startMs: number) {
    this.#driver = driver;
    this.#server = server;
    const { baseUrl, appId, secret, real } = server;
    const known = { $baseUrl: baseUrl, $appId: appId };
    const given = real ? known : { ...known, $ingestUrl: 'https://ingest.example' };
    this.#variables = new Variables(given, secret, { nowMs: () => startMs + this.#passedMs });
  }

  async begin(): Promise<void> {
    this.#note(await this.#driver.open());
  }

  #note({ requests, ends, heard }: Report): void {
    this.#requests.push(...requests);
    this.#ends.push(...ends);
    this.#heard.push(...heard);
  }

  /** No call is left that the script does not know. */
  nothingLeft(): void {
    const [request] = this.#requests;
    if (request !== undefined)
      throw new Error(`it made a call that it must not make: ${described(request)}`);
  }

  async step(step: Step): Promise<void> {
    if ('http' in step) return this.#http(step.http);
    // These may come while a call of the SDK waits for its answer.
    if ('call' in step) return this.#call(step);
    if ('ends' in step) return this.#ended(step.ends, step);
    if ('heard' in step) return this.#wasHeard(step.heard, step.value);
    this.nothingLeft();
    if ('pass' in step) {
      this.#passedMs += step.pass;
      this.#note(await this.#driver.pass(step.pass));
    } else if ('restart' in step) {
      this.#ends = [];
      this.#heard = [];
      this.#note(await this.#driver.open());
    } else if ('device' in step) {
      this.#note(await this.#driver.device(this.#variables.filled(step.device) as JsonObject));
    } else if ('state' in step) {
      const problem = this.#variables.problem(step.state, await this.#driver.state(), true);
      if (problem !== undefined) throw new Error(`state: ${problem}`);
    } else await this.#administer(step.server);
  }

  async #call(step: Extract<Step, { readonly call: string }>): Promise<void> {
    const { call, as = call, times = 1 } = step;
    const named = this.#variables.filled(step.with ?? {}) as JsonObject;
    this.#ends = this.#ends.filter((end) => end.as !== as);
    for (let made = 0; made < times; made++) this.#note(await this.#driver.call(as, call, named));
    if ('value' in step || 'error' in step) this.#ended(as, step);
  }

  #ended(as: string, { value, error }: Outcome): void {
    const at = this.#ends.findIndex((end) => end.as === as);
    const end = this.#ends[at];
    if (end === undefined) throw new Error(`${as} has not ended`);
    this.#ends.splice(at, 1);
    const problem =
      error === undefined
        ? end.error === undefined
          ? this.#variables.problem(value ?? null, end.value ?? null, true)
          : `it failed: ${JSON.stringify(end.error)}`
        : this.#variables.problem(error, end.error, true);
    if (problem !== undefined) throw new Error(`${as}: ${problem}`);
  }

  #wasHeard(name: string, value: Json): void {
    const all = this.#heard.filter((one) => one.name === name);
    const found = all.find((one) => this.#variables.problem(value, one.value, true) === undefined);
    if (found === undefined) throw new Error(`${name} was told only ${JSON.stringify(all)}`);
    this.#heard.splice(this.#heard.indexOf(found), 1);
  }

  /** The exchanges of one step may come in any order. */
  async #http(exchanges: readonly Exchange[]): Promise<void> {
    const left = [...exchanges];
    while (left.length > 0) {
      const problems: string[] = [];
      const found = this.#nextPair(left, problems);
      if (found === undefined)
        throw new Error(
          problems.length === 0
            ? `no call was made; expected ${left.map(({ request }) => request).join(', ')}`
            : problems.join('\n'),
        );
      const [request, exchange] = found;
      this.#requests.splice(this.#requests.indexOf(request), 1);
      left.splice(left.indexOf(exchange), 1);
      await this.#answer(request, exchange);
    }
  }

  #nextPair(
    left: readonly Exchange[],
    problems: string[],
  ): readonly [MadeRequest, Exchange] | undefined {
    for (const request of this.#requests)
      for (const exchange of left) {
        const problem = this.#requestProblem(request, exchange);
        if (problem === undefined) return [request, exchange];
        problems.push(`${exchange.request}: ${problem}, in ${described(request)}`);
      }
    return undefined;
  }

  #requestProblem(request: MadeRequest, exchange: Exchange): string | undefined {
    const url = new URL(request.url);
    const line = `${request.method} ${url.pathname}`;
    const wanted = this.#variables.inText(exchange.request);
    if (line !== wanted) return 'another call';
    const home = this.#variables.inText(wanted === 'POST /e' ? '$ingestUrl' : '$baseUrl');
    if (!request.url.startsWith(`${home}/`)) return `not sent to ${home}`;
    const query = Object.fromEntries(url.searchParams);
    const { headers = {}, body } = exchange;
    const telling = Object.fromEntries(
      Object.entries(request.headers).filter(
        ([name]) => tellingHeaders.includes(name) || name in headers,
      ),
    );
    const patterns = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        // `Bearer $token` has to be known by now; a variable alone may be bound here.
        value.startsWith('$') ? value : this.#variables.inText(value),
      ]),
    );
    const type = request.headers['content-type'];
    if (request.body !== undefined && !type?.startsWith('application/json'))
      return `the body's content type is ${type}`;
    const sent = request.body === undefined ? null : (JSON.parse(request.body) as Json);
    return this.#variables.problem(
      { query: exchange.query ?? {}, headers: patterns, body: body ?? null },
      { query, headers: telling, body: sent },
      false,
    );
  }

  async #answer(request: MadeRequest, { answer }: Exchange): Promise<void> {
    const { real } = this.#server;
    if (answer === 'unreachable' || answer === 'lost' || answer === 'never') {
      if (answer !== 'unreachable') await real?.send(request);
      if (answer !== 'never') this.#note(await this.#driver.answer(request.id, null));
      return;
    }
    const { status, headers = {}, body, given: isGiven } = answer;
    if (real === undefined || isGiven) {
      const text = body === undefined ? '' : JSON.stringify(this.#variables.filled(body));
      const made = this.#variables.filled(headers) as Record<string, string>;
      this.#note(await this.#driver.answer(request.id, { status, headers: made, text }));
      return;
    }
    const given = await real.send(request);
    const problem =
      given.status === status
        ? (this.#variables.problem(headers, given.headers, true) ??
          (body === undefined
            ? undefined
            : this.#variables.problem(body, JSON.parse(given.text) as Json, true)))
        : `${given.status} instead of ${status}`;
    if (problem !== undefined)
      throw new Error(
        `the real server does not answer so: ${problem}\n${described(request)}\n${given.text.slice(0, 500)}`,
      );
    this.#note(await this.#driver.answer(request.id, given));
  }

  async #administer(calls: readonly ServerCall[]): Promise<void> {
    const { real } = this.#server;
    if (real === undefined) return;
    for (const { request, body, status, answer } of calls) {
      const isRight =
        answer === undefined
          ? undefined
          : (found: Json) => this.#variables.problem(answer, found, true);
      const sent = body === undefined ? undefined : this.#variables.filled(body);
      const line = this.#variables.inText(request);
      await real.administer({ line, body: sent, status }, isRight);
    }
  }
}

function described({ method, url, headers, body }: MadeRequest): string {
  return `${method} ${url} ${JSON.stringify(headers)} ${body?.slice(0, 600) ?? ''}`;
}

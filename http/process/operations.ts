// The operators' port: `/metrics`, `/healthz`, `/readyz`, on loopback, apart from the public port.

import { createServer, type Server, type ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import type {
  CallbackCounts,
  CheckCredential,
  CredentialCheck,
  RegisterWebhook,
  TrialResult,
  TryRelay,
  WebhookRegistration,
} from '../../actors/channels/port/outcome.ts';
import { metricRows } from '../../actors/runtime/metrics.ts';
import type { StripeAnswer, StripeQuestion } from '../../actors/tenants/billing/stripe/port.ts';
import type { Message } from '../../engine/actor/message.ts';
import { Metrics } from '../../engine/observe/metrics.ts';
import type { Host } from '../../engine/thread/host.ts';
import { Link } from '../../engine/thread/link.ts';
import { type AnswerItem, type RequestItem, threadItself } from '../../engine/thread/wire.ts';
import type { AnsweredCall } from '../call/answer/answered-call.ts';
import type { ClockWarning, DuplicateKind } from '../call/call-edge.ts';
import type { Edge } from '../call/edge.ts';
import type { SignInMailResult } from '../call/session/sign-in-mail.ts';
import type { IngestFigures } from '../ingest/events.ts';
import { isLoopbackName } from '../server/loopback-name.ts';
import { version } from '../version.ts';
import { setCluster } from './cluster-metrics.ts';
import { setDispatchers } from './dispatch-metrics.ts';
import { type ServerFacts, setServer } from './server-metrics.ts';
import { setShards } from './shard-metrics.ts';

export interface Operations {
  readonly metrics: Metrics;
  answered(call: AnsweredCall): void;
  countCallbacks(channel: ChannelId, counts: CallbackCounts): void;
  countRelayRefusal(kind: string, reason: string): void;
  countDuplicates(kind: DuplicateKind, count: number): void;
  countSignInMail(result: SignInMailResult): void;
  registerWebhook(ask: RegisterWebhook): Promise<WebhookRegistration>;
  checkCredential(ask: CheckCredential): Promise<CredentialCheck>;
  tryRelay(ask: TryRelay): Promise<TrialResult>;
  /** At one of the dispatchers. */
  askStripe(question: StripeQuestion): Promise<StripeAnswer>;
  listen(port: number): Promise<number>;
  close(): void;
}

export function operations(
  edge: Edge,
  dispatchers: readonly Host[],
  ingest: IngestFigures,
  server: () => { readonly kind: string; readonly inFlight: number },
  facts: ServerFacts,
): Operations {
  const metrics = new Metrics(metricRows);
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  const askDispatchers = dispatchers.map((host) => asker(host));
  metrics.onCollect(async () => {
    metrics.set('engage_build_info', { version, node: process.version, server: server().kind }, 1);
    metrics.set('engage_keyless_people_total', {}, edge.admission.keylessPeople);
    for (const { limit, calls } of edge.admission.overflows())
      metrics.set('engage_address_overflow_total', { limit }, calls);
    setIngest(metrics, ingest);
    metrics.set('engage_http_in_flight', {}, server().inFlight);
    metrics.set('engage_event_loop_lag_seconds', {}, lag.percentile(99) / 1e9);
    lag.reset();
    setServer(metrics, facts);
    await setShards(metrics, edge.router);
    if (facts.clusterPartitions !== undefined)
      await setCluster(metrics, edge.router, facts.clusterPartitions);
    await setDispatchers(metrics, askDispatchers);
  });
  let http: Server | undefined;
  return {
    metrics,
    answered: (call) => countAnswer(metrics, ingest, call),
    countDuplicates: (kind, count) => {
      if (count > 0) metrics.count('engage_duplicates_suppressed_total', { kind }, count);
    },
    countCallbacks: (channel, counts) => countCallbacks(metrics, channel, counts),
    countRelayRefusal: (kind, reason) =>
      metrics.count('engage_relay_events_refused_total', { kind, reason }),
    countSignInMail: (result) => metrics.count('engage_sign_in_mails_total', { result }),
    registerWebhook: async (ask) => {
      const [first] = askDispatchers;
      const done = await first?.(ask);
      return (done as WebhookRegistration) ?? { registered: false, reason: 'internal' };
    },
    checkCredential: async (ask) => (await askDispatchers[0]?.(ask)) as CredentialCheck,
    tryRelay: async (ask) => (await askDispatchers[0]?.(ask)) as TrialResult,
    askStripe: async (question) => (await askDispatchers[0]?.(question)) as StripeAnswer,
    listen: (port) =>
      new Promise((resolve, reject) => {
        http = createServer(
          ({ url = '', headers: { host } }, response) =>
            void show(
              edge,
              metrics,
              host === undefined || isLoopbackName(host) ? url : undefined,
              response,
            ),
        );
        http.once('error', reject);
        http.listen(port, '127.0.0.1', () => {
          const address = http?.address();
          resolve(typeof address === 'object' && address !== null ? address.port : port);
        });
      }),
    close: () => {
      lag.disable();
      http?.close();
      http?.closeAllConnections();
    },
  };
}

function countCallbacks(metrics: Metrics, channel: ChannelId, counts: CallbackCounts): void {
  for (const result of ['taken', 'repeated', 'ignored'] as const)
    if (counts[result] > 0)
      metrics.count('engage_provider_callbacks_total', { channel, result }, counts[result]);
  if (counts.repeated > 0)
    metrics.count('engage_duplicates_suppressed_total', { kind: 'callback' }, counts.repeated);
}

function countAnswer(
  metrics: Metrics,
  ingest: IngestFigures,
  { route, method, status, lane, durMs }: AnsweredCall,
): void {
  // The others of this route are counted there: it must not appear twice.
  if (route === '/e' && method === 'POST') {
    ingest.counts.set(status, (ingest.counts.get(status) ?? 0) + 1);
    return;
  }
  const statusClass = `${Math.floor(status / 100)}xx`;
  metrics.count('engage_http_requests_total', { route, method, status_class: statusClass, lane });
  if (durMs !== undefined) metrics.observe('engage_http_request_duration_seconds', { lane }, durMs);
  if (status === 429) metrics.count('engage_ratelimit_refusals_total', { lane });
}

const hostError = {
  error: 'Host: expected localhost or a loopback address: this port answers only this machine',
  field: 'Host',
};

function setIngest(metrics: Metrics, { counts, times }: IngestFigures): void {
  metrics.setDurations('engage_ingest_request_duration_seconds', {}, times);
  const classes = new Map<string, number>();
  for (const [status, count] of counts) {
    const name = `${Math.floor(status / 100)}xx`;
    classes.set(name, (classes.get(name) ?? 0) + count);
  }
  for (const [name, count] of classes) {
    const labels = { route: '/e', method: 'POST', status_class: name, lane: 'none' };
    metrics.set('engage_http_requests_total', labels, count);
  }
}

/** `path`: `undefined` for a name that is not this machine's. */
async function show(
  edge: Edge,
  metrics: Metrics,
  path: string | undefined,
  response: ServerResponse,
): Promise<void> {
  if (path === undefined) {
    const body = `${JSON.stringify(hostError)}\n`;
    response.writeHead(421, { 'content-type': 'application/json' }).end(body);
  } else if (path === '/metrics') {
    const { contentType, body } = await metrics.text();
    response.writeHead(200, { 'content-type': contentType }).end(body);
  } else if (path === '/healthz')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}\n');
  else if (path === '/readyz') {
    const ready = edge.ready();
    response
      .writeHead(ready ? 200 : 503, { 'content-type': 'application/json' })
      .end(`${JSON.stringify({ ready, ...warningsOf(edge) })}\n`);
  } else
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"error":"not found"}\n');
}

/** Of a server that serves, and needs its operator. */
function warningsOf(edge: Edge): { readonly warnings?: readonly ClockWarning[] } {
  const warnings = edge.clockWarnings?.() ?? [];
  return warnings.length === 0 ? {} : { warnings };
}

function asker(host: Host): (message: Message) => Promise<unknown> {
  const waiting = new Map<number, (value: unknown) => void>();
  let correlation = 0;
  const link = new Link<RequestItem, AnswerItem>(host.port, ([id, answer]) => {
    waiting.get(id)?.((answer as { readonly value: unknown }).value);
    waiting.delete(id);
  });
  return (message) =>
    new Promise((resolve) => {
      correlation++;
      waiting.set(correlation, resolve);
      link.send([correlation, threadItself, 0, 0, Number.POSITIVE_INFINITY, message, 0]);
    });
}

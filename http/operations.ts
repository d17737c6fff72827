// The operators' port: `/metrics`, `/healthz`, `/readyz`, on loopback, apart from the public port.

import { createServer, type Server, type ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ChannelId } from '../actors/channels/channel-ids.ts';
import type {
  CallbackCounts,
  RegisterWebhook,
  WebhookRegistration,
} from '../actors/channels/outcome.ts';
import { metricRows } from '../actors/runtime/metrics.ts';
import type { ShardFigures } from '../actors/runtime/protocol.ts';
import {
  addFigures,
  type ChannelFigures,
  noChannelFigures,
} from '../actors/sending/dispatch/channel-figures.ts';
import type { DispatcherFigures } from '../actors/sending/dispatch/dispatcher.ts';
import type { StripeAnswer, StripeQuestion } from '../actors/tenants/billing/stripe/port.ts';
import type { Message } from '../engine/actor/message.ts';
import { Metrics } from '../engine/observe/metrics.ts';
import type { Host } from '../engine/thread/host.ts';
import { Link } from '../engine/thread/link.ts';
import { type AnswerItem, type RequestItem, threadItself } from '../engine/thread/wire.ts';
import type { ClockWarning } from './call-edge.ts';
import type { Edge } from './edge.ts';
import { isLoopbackName } from './loopback-name.ts';
import type { AnsweredCall } from './pipeline.ts';
import { version } from './version.ts';

export interface Operations {
  readonly metrics: Metrics;
  answered(call: AnsweredCall): void;
  countCallbacks(channel: ChannelId, counts: CallbackCounts): void;
  registerWebhook(ask: RegisterWebhook): Promise<WebhookRegistration>;
  /** At one of the dispatchers. */
  askStripe(question: StripeQuestion): Promise<StripeAnswer>;
  listen(port: number): Promise<number>;
  close(): void;
}

export function operations(
  edge: Edge,
  dispatchers: readonly Host[],
  ingestCounts: ReadonlyMap<number, number>,
  server: () => { readonly kind: string; readonly inFlight: number },
): Operations {
  const metrics = new Metrics(metricRows);
  const lag = monitorEventLoopDelay({ resolution: 20 });
  lag.enable();
  const askDispatchers = dispatchers.map((host) => asker(host));
  metrics.onCollect(async () => {
    metrics.set('engage_build_info', { version, node: process.version, server: server().kind }, 1);
    metrics.set('engage_keyless_people_total', {}, edge.admission.keylessPeople);
    setIngest(metrics, ingestCounts);
    metrics.set('engage_http_in_flight', {}, server().inFlight);
    metrics.set('engage_event_loop_lag_seconds', {}, lag.percentile(99) / 1e9);
    lag.reset();
    metrics.set('engage_process_resident_bytes', {}, process.memoryUsage.rss());
    await setShards(metrics, edge);
    await setDispatchers(metrics, askDispatchers);
  });
  let http: Server | undefined;
  return {
    metrics,
    answered: (call) => countAnswer(metrics, call),
    countCallbacks: (channel, counts) => {
      for (const result of ['taken', 'repeated', 'ignored'] as const)
        if (counts[result] > 0)
          metrics.count('engage_provider_callbacks_total', { channel, result }, counts[result]);
    },
    registerWebhook: async (ask) => {
      const [first] = askDispatchers;
      const done = await first?.(ask);
      return (done as WebhookRegistration) ?? { registered: false, reason: 'internal' };
    },
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

async function setShards(metrics: Metrics, { router }: Edge): Promise<void> {
  const givenUp = new Map<string, number>();
  let unvouchedApps = 0;
  for (let shard = 0; shard < router.shardCount; shard++) {
    const answer = await router.askShard(shard, { kind: 'thread.figures' });
    if (!answer.ok) continue;
    const figures = answer.value as ShardFigures;
    setShard(metrics, figures, givenUp);
    unvouchedApps += figures.unvouchedApps;
  }
  metrics.set('engage_unvouched_alarm_apps', {}, unvouchedApps);
}

function countAnswer(metrics: Metrics, { route, method, status, lane, durMs }: AnsweredCall): void {
  const statusClass = `${Math.floor(status / 100)}xx`;
  metrics.count('engage_http_requests_total', { route, method, status_class: statusClass, lane });
  metrics.observe('engage_http_request_duration_seconds', { lane }, durMs / 1000);
  if (status === 429) metrics.count('engage_ratelimit_refusals_total', { lane });
}

const hostError = {
  error: 'Host: expected localhost or a loopback address: this port answers only this machine',
  field: 'Host',
};

function setIngest(metrics: Metrics, counts: ReadonlyMap<number, number>): void {
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

/** `givenUp` sums over the shards, by channel and lane; this adds one shard. */
function setShard(
  metrics: Metrics,
  { partitions, givenUp: sends }: ShardFigures,
  givenUp: Map<string, number>,
): void {
  for (const [channel, lane, count] of sends) {
    const place = `${channel}/${lane}`;
    givenUp.set(place, (givenUp.get(place) ?? 0) + count);
    metrics.set('engage_sends_given_up_total', { channel, lane }, givenUp.get(place) ?? 0);
  }
  for (const one of partitions) {
    const { partition: index, mailbox, timers, outbox, eventIdHours, clock, figures } = one;
    const { webhooks } = one;
    const { expiredPeople, unpaid } = one;
    const partition = { partition: String(index) };
    metrics.set('engage_commits_total', partition, figures.commits);
    metrics.set('engage_commit_duration_seconds_sum', partition, figures.commitMsTotal / 1000);
    metrics.set('engage_commit_duration_seconds_max', partition, figures.commitMsMax / 1000);
    metrics.set('engage_turns_total', partition, figures.turns);
    metrics.set('engage_turn_duration_seconds_sum', partition, figures.turnMsTotal / 1000);
    metrics.set('engage_long_turns_total', partition, figures.longTurns);
    metrics.set('engage_log_entries_total', partition, figures.entries);
    metrics.set('engage_log_bytes_total', partition, figures.blockBytes);
    metrics.set('engage_messages_total', partition, figures.messages);
    metrics.set('engage_messages_expired_total', partition, figures.expired);
    metrics.set('engage_messages_refused_total', partition, figures.refusedFull);
    metrics.set('engage_dead_letters_total', partition, figures.deadLetters);
    metrics.set('engage_mailbox_depth', partition, mailbox);
    metrics.set('engage_timers_pending', partition, timers);
    metrics.set('engage_clock_jumps_total', partition, figures.clockJumps);
    metrics.set('engage_clock_behind_seconds', partition, clock.behindMs / 1000);
    metrics.set('engage_clock_unconfirmed_seconds', partition, clock.unconfirmedMs / 1000);
    metrics.set('engage_timer_lateness_seconds_max', partition, figures.timerLatenessMsMax / 1000);
    metrics.set('engage_outbox_depth', partition, outbox);
    metrics.set('engage_webhooks_open', partition, webhooks.open);
    metrics.set('engage_webhooks_disabled', partition, webhooks.disabled);
    for (const status of ['open', 'failed'] as const)
      metrics.set('engage_invoices_unpaid', { ...partition, status }, unpaid[status]);
    metrics.set('engage_people_expired_total', partition, expiredPeople);
    metrics.set('engage_event_id_window_hours', partition, eventIdHours);
  }
}

async function setDispatchers(
  metrics: Metrics,
  askers: readonly ((message: Message) => Promise<unknown>)[],
): Promise<void> {
  const answers = await Promise.all(askers.map((ask) => ask({ kind: 'thread.figures' })));
  const channels = new Map<ChannelId, ChannelFigures>();
  for (const [index, answer] of (answers as DispatcherFigures[]).entries()) {
    const dispatcher = { dispatcher: String(index) };
    metrics.set('engage_dispatch_in_flight', dispatcher, answer.inFlight);
    metrics.set('engage_dispatch_handed_back_total', dispatcher, answer.handedBack);
    metrics.set('engage_dispatch_recalled_total', dispatcher, answer.recalled);
    for (const [channel, figures] of answer.channels) {
      const sum = channels.get(channel) ?? noChannelFigures();
      addFigures(sum, figures);
      channels.set(channel, sum);
    }
  }
  for (const [channel, { outcomes, count, totalMs, again }] of channels) {
    for (const [outcome, calls] of Object.entries(outcomes))
      if (calls > 0) metrics.set('engage_dispatch_calls_total', { channel, outcome }, calls);
    metrics.set('engage_dispatch_duration_seconds_sum', { channel }, totalMs / 1000);
    metrics.set('engage_dispatch_duration_seconds_count', { channel }, count);
    if (again > 0) metrics.set('engage_dispatch_retries_total', { channel }, again);
  }
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

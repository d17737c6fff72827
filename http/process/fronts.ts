// The public servers: the main port with every route, and the ingest port if one is set. That one
// is open to where the main port may not be, so it has a router of its own: `/e`, `/i/cdp` and
// `/healthz`, and neither looks up keys for other paths nor answers there.

import type { Log } from '../../engine/observe/log.ts';
import type { Edge } from '../call/edge.ts';
import { framingAnswers } from '../call/framing-answers.ts';
import { RouteTree } from '../call/match.ts';
import { pipeline, type Special } from '../call/pipeline.ts';
import type { Route } from '../call/route.ts';
import { dashboardSpecial } from '../dashboard/serve.ts';
import { referenceSpecials } from '../describe/openapi.ts';
import { cdpSpecial } from '../ingest/cdp.ts';
import { type IngestFigures, ingestSpecial } from '../ingest/events.ts';
import { ingestPattern } from '../ingest/pattern.ts';
import type { Forwarding } from '../peers/forward.ts';
import { readHealth } from '../routes/health/health.ts';
import { routes } from '../routes/index.ts';
import type { HttpHandler, HttpServer, HttpServerOptions } from '../server/exchange.ts';
import { createHttpServer } from '../server/server.ts';
import { webSdkSpecial } from '../web-sdk/serve.ts';
import type { Config } from './config.ts';
import type { Operations } from './operations.ts';

type FrontConfig = Pick<Config, 'host' | 'http' | 'ingestPort' | 'port' | 'tls'>;

export interface Fronts extends Pick<HttpServer, 'drain' | 'inFlight' | 'kind'> {
  /** Sentences for the banner. */
  readonly warnings: readonly string[];
  /** How the main port serves what is for this server, for requests that come by another port. */
  readonly served: HttpServerOptions;
  /** Opens the ports, and resolves to the main one's. */
  listen(): Promise<number>;
}

/**
 * Not listening yet. Throws if the wanted server does not load. `forwarding`: in a cluster, for
 * requests that are for other servers.
 */
export async function makeFronts(
  config: FrontConfig,
  edge: Edge,
  figures: IngestFigures,
  operator: Operations,
  forwarding?: Forwarding,
): Promise<Fronts> {
  const specials = [ingestSpecial(edge, figures), cdpSpecial(edge, operator.answered)];
  const all = {
    routes,
    specials: [
      ...specials,
      dashboardSpecial(edge, operator.answered),
      webSdkSpecial(edge, operator.answered),
      ...referenceSpecials(edge, routes, operator.answered),
    ],
  };
  const served = servedBy(edge, all, operator);
  const { server: main, alarm } = await makeFront(config, edge, served, all, forwarding);
  const few = { routes: [readHealth], specials, isIngestOnly: true };
  const { ingestPort } = config;
  const ingest =
    ingestPort === undefined
      ? undefined
      : (await makeFront(config, edge, servedBy(edge, few, operator), few, forwarding)).server;
  const servers = ingest === undefined ? [main] : [main, ingest];
  return {
    kind: main.kind,
    served,
    warnings: alarm === undefined ? [] : [alarm],
    get inFlight() {
      return servers.reduce((sum, { inFlight }) => sum + inFlight, 0);
    },
    async listen() {
      const port = await main.listen(config.host, config.port);
      if (ingestPort !== undefined) await ingest?.listen(config.host, ingestPort);
      return port;
    },
    async drain(ms) {
      const answered = await Promise.all(servers.map((server) => server.drain(ms)));
      return answered.every(Boolean);
    },
  };
}

interface Served {
  readonly routes: readonly Route[];
  readonly specials: readonly Special[];
  readonly isIngestOnly?: boolean;
}

function servedBy(edge: Edge, served: Served, operator: Operations): HttpServerOptions {
  const { log } = edge;
  return {
    handler: pipeline({
      edge,
      ...served,
      postOutside: ingestPattern,
      onAnswered: operator.answered,
    }),
    refuse: framingAnswers(edge, served.routes, ingestPattern, operator.answered),
    onError: (error, request) =>
      log.error({ evt: 'http.bug', route: request?.path, err: error }, 'a request handler threw'),
  };
}

async function makeFront(
  config: FrontConfig,
  { log }: Edge,
  options: HttpServerOptions,
  { routes: ofFront, isIngestOnly }: Served,
  forwarding: Forwarding | undefined,
): Promise<{ readonly server: HttpServer; readonly alarm: string | undefined }> {
  const { server, warning, isAltered } = await createHttpServer(
    {
      ...options,
      ...(forwarding && { handler: forwardingOver(forwarding, options.handler, ofFront) }),
      ...(config.tls === undefined ? {} : { tls: config.tls }),
    },
    config.http === 'node' ? 'node' : 'uws',
  );
  if (warning !== undefined && isIngestOnly !== true) warn(config, log, warning);
  return { server, alarm: isAltered === true ? warning : undefined };
}

function forwardingOver(
  forwarding: Forwarding,
  handler: HttpHandler,
  ofFront: readonly Route[],
): HttpHandler {
  const tree = new RouteTree(ofFront);
  return forwarding.over(handler, ({ method, path }) => {
    const matched = tree.match(method, path);
    return matched.kind === 'found' ? matched.route.bodyBytesMax : undefined;
  });
}

function warn(config: FrontConfig, log: Log, warning: string): void {
  if (config.http === 'uws') throw new Error(`ENGAGE_HTTP is uws, but ${warning}`);
  log.warn({ evt: 'http.twin' }, warning);
}

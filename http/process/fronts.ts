// The public servers: the main port with every route, and the ingest port if one is set. That one
// is open to where the main port may not be, so it has a router of its own: `/e`, `/i/cdp` and
// `/healthz`, and neither looks up keys for other paths nor answers there.

import type { Log } from '../../engine/observe/log.ts';
import type { Edge } from '../call/edge.ts';
import { framingAnswers } from '../call/framing-answers.ts';
import { pipeline, type Special } from '../call/pipeline.ts';
import type { Route } from '../call/route.ts';
import { dashboardSpecial } from '../dashboard/serve.ts';
import { referenceSpecials } from '../describe/openapi.ts';
import { cdpSpecial } from '../ingest/cdp.ts';
import { type IngestFigures, ingestSpecial } from '../ingest/events.ts';
import { ingestPattern } from '../ingest/pattern.ts';
import { readHealth } from '../routes/health/health.ts';
import { routes } from '../routes/index.ts';
import type { HttpServer } from '../server/exchange.ts';
import { createHttpServer } from '../server/server.ts';
import { webSdkSpecial } from '../web-sdk/serve.ts';
import type { Config } from './config.ts';
import type { Operations } from './operations.ts';

type FrontConfig = Pick<Config, 'host' | 'http' | 'ingestPort' | 'port' | 'tls'>;

export interface Fronts extends Pick<HttpServer, 'drain' | 'inFlight' | 'kind'> {
  /** Sentences for the banner. */
  readonly warnings: readonly string[];
  /** Opens the ports, and resolves to the main one's. */
  listen(): Promise<number>;
}

/** Not listening yet. Throws if the wanted server does not load. */
export async function makeFronts(
  config: FrontConfig,
  edge: Edge,
  figures: IngestFigures,
  operator: Operations,
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
  const { server: main, alarm } = await makeFront(config, edge, all, operator);
  const few = { routes: [readHealth], specials, isIngestOnly: true };
  const { ingestPort } = config;
  const ingest =
    ingestPort === undefined ? undefined : (await makeFront(config, edge, few, operator)).server;
  const servers = ingest === undefined ? [main] : [main, ingest];
  return {
    kind: main.kind,
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

async function makeFront(
  config: FrontConfig,
  edge: Edge,
  served: {
    readonly routes: readonly Route[];
    readonly specials: readonly Special[];
    readonly isIngestOnly?: boolean;
  },
  operator: Operations,
): Promise<{ readonly server: HttpServer; readonly alarm: string | undefined }> {
  const { log } = edge;
  const handler = pipeline({
    edge,
    ...served,
    postOutside: ingestPattern,
    onAnswered: operator.answered,
  });
  const { server, warning, isAltered } = await createHttpServer(
    {
      handler,
      refuse: framingAnswers(edge, served.routes, ingestPattern, operator.answered),
      onError: (error, request) =>
        log.error({ evt: 'http.bug', route: request?.path, err: error }, 'a request handler threw'),
      ...(config.tls === undefined ? {} : { tls: config.tls }),
    },
    config.http === 'node' ? 'node' : 'uws',
  );
  if (warning !== undefined && served.isIngestOnly !== true) warn(config, log, warning);
  return { server, alarm: isAltered === true ? warning : undefined };
}

function warn(config: FrontConfig, log: Log, warning: string): void {
  if (config.http === 'uws') throw new Error(`ENGAGE_HTTP is uws, but ${warning}`);
  log.warn({ evt: 'http.twin' }, warning);
}

// The settings of a server that is one of several, and the value that they make. Without
// `ENGAGE_CLUSTER` there is none, and nothing of a cluster is loaded.

import { hostname } from 'node:os';
import { z } from 'zod';
import type { Bytes } from '../../engine/base/brand.ts';

export interface ClusterConfig {
  /** What its servers share; part of the names of streams. */
  readonly name: string;
  /** This server's, unlike that of any other. */
  readonly node: string;
  /** What fails together; the server's own name where the operator has no zones. */
  readonly zone: string;
  /** Of the internal port. */
  readonly listen: Place;
  /** How other servers reach the internal port, `host:port`. */
  readonly address: string;
  /** Of each partition, its owner's included. */
  readonly copies: number;
  /** Addresses of nats-servers for clients, `host:port`. */
  readonly servers: readonly string[];
  /** Of the user `engage` at the nats-servers; absent where they ask for none. */
  readonly password: string | undefined;
  /** Addresses where nats-servers tell of themselves. */
  readonly monitors: readonly string[];
  /** Of each partition's log on the nats-servers. */
  readonly logBytesMax: Bytes;
  /** Takes nats-servers that may lose what they acknowledged. */
  readonly allowsUnsafe: boolean;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/** Names are part of subjects and of names of streams. */
const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'expected up to 40 small letters, digits and hyphens');
const placePattern = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i;
const place = z.string().refine(isPlace, 'expected a host and a port, such as 10.0.0.1:8410');
const places = z
  .string()
  .transform(listed)
  .refine(
    (all) => all.length > 0 && all.every(isPlace),
    'expected hosts and ports, such as 10.0.0.1:4222,10.0.0.2:4222',
  );
const urls = z
  .string()
  .transform(listed)
  .refine(
    (all) => all.length > 0 && all.every(isHttp),
    'expected addresses such as http://10.0.0.1:8222,http://10.0.0.2:8222',
  );

export const clusterVariables = {
  ENGAGE_CLUSTER: {
    schema: name.optional(),
    meaning:
      'Name of the cluster that this server is one of. Unset: one machine, no NATS. See [CLUSTER](CLUSTER.md).',
  },
  ENGAGE_CLUSTER_NODE: {
    schema: name.optional(),
    meaning:
      "This server's name in the cluster; no two servers may share it. Default: the host name.",
  },
  ENGAGE_CLUSTER_ZONE: {
    schema: name.optional(),
    meaning:
      'What fails together, such as a rack or a data center: copies are kept in different zones. Default: the name of the server.',
  },
  ENGAGE_CLUSTER_LISTEN: {
    schema: place.optional(),
    meaning:
      'Host and port of the internal port, where the other servers call this one. Only servers with the same master key can speak there.',
  },
  ENGAGE_CLUSTER_ADDRESS: {
    schema: place.optional(),
    meaning: 'How the other servers reach the internal port. Default: `ENGAGE_CLUSTER_LISTEN`.',
  },
  ENGAGE_CLUSTER_COPIES: {
    schema: z.coerce.number().int().min(1).max(7).default(2),
    meaning: 'How many servers keep a copy of each partition.',
  },
  ENGAGE_CLUSTER_LOG_MIB: {
    schema: z.coerce.number().int().min(64).max(65_536).default(1_024),
    meaning:
      'MiB that the log of one partition may have on each nats-server; all partitions together must fit on its disk. Half of it is kept for copies that were away.',
  },
  ENGAGE_CLUSTER_NATS: {
    schema: places.optional(),
    meaning: 'Hosts and client ports of the nats-servers, with commas between.',
  },
  ENGAGE_CLUSTER_NATS_PASSWORD: {
    schema: z.string().min(8).optional(),
    meaning: 'Password of the user `engage` at the nats-servers. Unset: they ask for none.',
    secret: true,
  },
  ENGAGE_CLUSTER_NATS_MONITORS: {
    schema: urls.optional(),
    meaning:
      'Addresses of the monitoring ports of all nats-servers, with commas between. The start ends with a sentence if a server may lose what it acknowledges.',
  },
  ENGAGE_CLUSTER_UNSAFE: {
    schema: z.enum(['0', '1', 'true', 'false']).optional(),
    meaning:
      'Starts with nats-servers that may lose what they acknowledge, with a warning. For tests.',
  },
} as const;

type ClusterValues = {
  readonly [Name in keyof typeof clusterVariables]?:
    | z.output<(typeof clusterVariables)[Name]['schema']>
    | undefined;
};

/** Must be the same on each server, so none may make its own. */
const shared = ['ENGAGE_MASTER_KEY', 'ENGAGE_BOOTSTRAP_TOKEN', 'ENGAGE_PUBLIC_URL'] as const;
const needed = ['ENGAGE_CLUSTER_LISTEN', 'ENGAGE_CLUSTER_NATS'] as const;

/** `isSet` knows all settings. Adds a sentence for each that is missing or not used. */
export function clusterProblems(values: ClusterValues, isSet: (name: string) => boolean): string[] {
  if (values.ENGAGE_CLUSTER === undefined)
    return Object.keys(clusterVariables)
      .filter(isSet)
      .map((unused) => `${unused} is not used without ENGAGE_CLUSTER.`);
  const isProven = isSet('ENGAGE_CLUSTER_NATS_MONITORS') || isTrue(values.ENGAGE_CLUSTER_UNSAFE);
  return [
    ...shared
      .filter((one) => !isSet(one))
      .map((one) => `ENGAGE_CLUSTER needs ${one}, with the same value on each server.`),
    ...needed.filter((one) => !isSet(one)).map((one) => `ENGAGE_CLUSTER needs ${one}.`),
    ...(isProven ? [] : ['ENGAGE_CLUSTER needs ENGAGE_CLUSTER_NATS_MONITORS.']),
    ...(ownName(values) === undefined
      ? ['ENGAGE_CLUSTER needs ENGAGE_CLUSTER_NODE: the host name cannot be used as a name.']
      : []),
  ];
}

/** Of values without problems. */
export function clusterOf(values: ClusterValues): ClusterConfig | undefined {
  const { ENGAGE_CLUSTER: cluster, ENGAGE_CLUSTER_LISTEN: listen = '' } = values;
  const node = ownName(values);
  if (cluster === undefined || node === undefined) return undefined;
  return {
    name: cluster,
    node,
    zone: values.ENGAGE_CLUSTER_ZONE ?? node,
    listen: placeOf(listen),
    address: values.ENGAGE_CLUSTER_ADDRESS ?? listen,
    copies: values.ENGAGE_CLUSTER_COPIES ?? 2,
    logBytesMax: (values.ENGAGE_CLUSTER_LOG_MIB ?? 1_024) * 1_048_576,
    servers: values.ENGAGE_CLUSTER_NATS ?? [],
    password: values.ENGAGE_CLUSTER_NATS_PASSWORD,
    monitors: values.ENGAGE_CLUSTER_NATS_MONITORS ?? [],
    allowsUnsafe: isTrue(values.ENGAGE_CLUSTER_UNSAFE),
  };
}

function ownName({ ENGAGE_CLUSTER_NODE: given }: ClusterValues): string | undefined {
  const [host = ''] = hostname().toLowerCase().split('.');
  return given ?? (name.safeParse(host).success ? host : undefined);
}

function isTrue(flag: string | undefined): boolean {
  return flag === '1' || flag === 'true';
}

function listed(text: string): readonly string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

function isPlace(text: string): boolean {
  const port = Number(placePattern.exec(text)?.[3] ?? 0);
  return port > 0 && port <= 65_535;
}

function placeOf(text: string): Place {
  const [, bracketed, plain, port] = placePattern.exec(text) ?? [];
  return { host: bracketed ?? plain ?? '', port: Number(port) };
}

function isHttp(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

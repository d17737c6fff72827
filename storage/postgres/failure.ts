// What went wrong with PostgreSQL, as a sentence for whoever operates it. A code of five letters
// came from the server, which then did nothing of the statement.

/** The server answered with an error, or the connection failed. */
export interface PostgresFailure {
  /** SQLSTATE; absent if the server did not answer. */
  readonly code: string | undefined;
  readonly reason: string;
}

/** Of SQLSTATE: the disk, or a quota of it. */
export const diskFullCode = '53100';

/** The server is leaving, or no longer takes writes: another one may. */
const leaving = new Set(['25006', '57P01', '57P02', '57P03', '57P04']);

const sentences: Readonly<Record<string, string>> = {
  '25006': 'PostgreSQL is read-only: it is a standby, or it was set so',
  '26000': 'PostgreSQL forgot a prepared statement: a pooler that changes sessions is in between',
  '28000': 'PostgreSQL refuses this account or this address',
  '28P01': 'PostgreSQL refuses the password',
  '3D000': 'PostgreSQL has no such database',
  '3F000': 'the schema of this cluster is gone from the database',
  '42501': 'PostgreSQL denies this account what it needs: it must own its schema',
  '42P01': 'a table of this cluster is gone from the database',
  '42883': 'a function of this cluster is gone from the database',
  '53100': "PostgreSQL's disk is full",
  '53200': 'PostgreSQL is out of memory',
  '53300': 'PostgreSQL has too many connections: raise max_connections, or connect fewer processes',
  '55P03': 'another append holds the log, and PostgreSQL has not committed it yet',
  '57014': 'the statement was canceled',
  '57P01': 'PostgreSQL is shutting down',
  '57P02': 'a process of PostgreSQL crashed, so it ends all connections',
  '57P03': 'PostgreSQL is starting, or shutting down',
  '57P04': 'the database was dropped',
  '58030': "PostgreSQL's disk has an input or output error",
  XX001: 'PostgreSQL found damaged data on its disk',
  XX002: 'PostgreSQL found a damaged index on its disk',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was reset',
  ENOTFOUND: 'its name has no address',
  ENOENT: 'there is no such socket',
};

export function failureOf(error: unknown): PostgresFailure {
  const { code, message } = (error ?? {}) as {
    readonly code?: unknown;
    readonly message?: unknown;
  };
  const known = typeof code === 'string' ? sentences[code] : undefined;
  const isOfServer = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && code !== 'EPIPE';
  const reason = known ?? `PostgreSQL: ${String(message ?? error)}`;
  return { code: isOfServer ? code : undefined, reason };
}

export function isServerLeaving({ code }: PostgresFailure): boolean {
  return code !== undefined && leaving.has(code);
}

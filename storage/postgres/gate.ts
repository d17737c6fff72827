// What a PostgreSQL must be before it keeps a log. Each connection asks, because a server that took
// over may be set differently.

/** Set for each of our sessions, where the server knows the setting. */
const settings: readonly (readonly [string, string])[] = [
  ['synchronous_commit', 'on'],
  // PostgreSQL reports a canceled wait for the standby with a warning alone.
  ['client_min_messages', 'warning'],
  // The append relies on it: each statement of a function sees what was committed before it.
  ['default_transaction_isolation', 'read committed'],
  // Ends those that wait behind an append that waits for the standby; otherwise they pile up.
  ['lock_timeout', '1500'],
  // A statement that is cut short while it waits for the standby is committed on one machine.
  ['statement_timeout', '0'],
  ['transaction_timeout', '0'],
  ['idle_session_timeout', '0'],
];

export const setSession = `select set_config(name, case
    when name = 'synchronous_commit' and setting = 'remote_apply' then setting else value end, false)
  from pg_settings join (values ${settings.map(([name, value]) => `('${name}', '${value}')`).join(', ')})
    as wanted(name, value) using (name)`;

export const askFacts = `select
    current_setting('server_version_num')::int as version,
    current_setting('fsync') as fsync,
    current_setting('full_page_writes') as "fullPageWrites",
    current_setting('synchronous_commit') as "synchronousCommit",
    current_setting('client_min_messages') as "clientMinMessages",
    current_setting('default_transaction_isolation') as isolation,
    trim(current_setting('synchronous_standby_names')) as standbys,
    pg_is_in_recovery() as "isStandby",
    current_setting('transaction_read_only') = 'on' as "isReadOnly",
    pg_postmaster_start_time()::text as started,
    case when pg_is_in_recovery() then null
      else pg_walfile_name(pg_current_wal_lsn()) end as segment`;

/** The row of `askFacts`. */
export interface PostgresFacts {
  readonly version: number;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly clientMinMessages: string;
  readonly isolation: string;
  readonly standbys: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly started: string;
  /** The first eight digits are the timeline, which each promotion raises. */
  readonly segment: string | null;
}

/** Why a server takes no writes, or not as our session asked; `undefined` if it does. */
export function obstacleOf(facts: PostgresFacts): string | undefined {
  if (facts.isStandby) return 'it is a standby';
  if (facts.isReadOnly) return 'it is read-only';
  const { synchronousCommit, clientMinMessages, isolation } = facts;
  if (!['on', 'remote_apply'].includes(synchronousCommit))
    return `it does not take synchronous_commit = on from us, and keeps ${synchronousCommit}`;
  if (clientMinMessages !== 'warning' || isolation !== 'read committed')
    return 'it does not take the settings of our session';
  return undefined;
}

/** Why what it acknowledges may be lost; an operator may accept these. */
export function doubtsOfServer(facts: PostgresFacts): readonly string[] {
  const { version, fsync, fullPageWrites, standbys } = facts;
  return [
    ...(version < 150_000
      ? [`it is version ${Math.floor(version / 10_000)}; 15 is the oldest that was tested`]
      : []),
    ...(fsync !== 'on' ? ['fsync is off, so a power cut loses or damages data'] : []),
    ...(fullPageWrites !== 'on' ? ['full_page_writes is off, so a power cut may damage data'] : []),
    ...(standbys === ''
      ? ['synchronous_standby_names is empty, so there is one copy of what it acknowledges']
      : []),
  ];
}

/** A server that was promoted has a higher one than the one that it replaces. */
export function timelineOf({ segment }: PostgresFacts): number {
  return segment === null ? 0 : Number.parseInt(segment.slice(0, 8), 16);
}

// A partition's log in one table of PostgreSQL. What fences is the lock of the log's row, under
// which each append compares the newest position. What a synchronous standby does not have yet can
// be seen after a crash, or after a wait that somebody cut short; so every read that finds frames
// commits a mark behind them, and gives them out once the standby has that, too.

import type { Bytes, Millis } from '../../engine/base/brand.ts';
import type {
  Appended,
  LoggedFrame,
  LogTail,
  PartitionLog,
  Position,
} from '../../engine/log/partition-log.ts';
import type { Arrivals } from './arrivals.ts';
import type { Postgres } from './connection.ts';
import { diskFullCode } from './failure.ts';
import { answers } from './schema.ts';
import type { Row, Statement, StatementOutcome } from './session.ts';

/** Of each step of a tail. */
const tailBytes: Bytes = 4 * 1024 * 1024;
/** Frames of one read. */
const readFramesMax = 256;
/** A tail that got no hint looks by itself this often. */
const unaskedMs: Millis = 1_000;
/** Of each delete. */
const trimmed = { framesMax: 500, bytesMax: 32 * 1024 * 1024 } as const;

interface LogShape {
  readonly partition: number;
  readonly generation: number;
  readonly bytesMax: Bytes;
}

/** Makes the log, unless it is there, and answers its number. Rejects with a sentence. */
export async function createPostgresLog(
  postgres: Postgres,
  { partition, generation, bytesMax }: LogShape,
): Promise<number> {
  const { schema } = postgres;
  const find: Statement = {
    name: 'find',
    text: `select id from ${schema}.logs where partition = $1::int and generation = $2::int`,
  };
  const create: Statement = {
    name: 'create',
    text: `insert into ${schema}.logs (partition, generation, bytes_max)
      values ($1::int, $2::int, $3::bigint) on conflict do nothing`,
  };
  const found = async () => rowsOf(await postgres.run(find, [partition, generation]))[0]?.[0];
  const known = await found();
  if (known !== undefined) return Number(known);
  rowsOf(await postgres.run(create, [partition, generation, bytesMax]));
  return Number(await found());
}

function rowsOf(outcome: StatementOutcome): readonly Row[] {
  if (outcome.state === 'done') return outcome.rows;
  throw new Error(outcome.state === 'failed' ? outcome.failure.reason : outcome.reason);
}

/** The log of a number that `createPostgresLog` gave. */
export function openPostgresLog(postgres: Postgres, log: number): PartitionLog {
  return new PostgresLog(postgres, log);
}

class PostgresLog implements PartitionLog {
  readonly #postgres: Postgres;
  readonly #log: number;
  readonly #statements: ReturnType<typeof statementsOf>;

  constructor(postgres: Postgres, log: number) {
    this.#postgres = postgres;
    this.#log = log;
    this.#statements = statementsOf(postgres.schema);
  }

  append(frame: Uint8Array, after: Position): Promise<Appended> {
    return this.#append(frame, after);
  }

  appendAnywhere(frame: Uint8Array): Promise<Appended> {
    return this.#append(frame, null);
  }

  async read(after: Position, bytesMax: Bytes): Promise<readonly LoggedFrame[] | undefined> {
    const outcome = await this.#postgres.run(this.#statements.read, [this.#log, after, bytesMax]);
    if (outcome.state !== 'done') return undefined;
    const [first] = outcome.rows;
    if (first === undefined || Number(first[0]) > after) return undefined;
    const frames: LoggedFrame[] = [];
    for (const [, position, frame] of outcome.rows)
      if (frame instanceof Uint8Array) frames.push({ position: Number(position), bytes: frame });
    return frames;
  }

  tail(after: Position, arrived: () => void): LogTail {
    return new PostgresTail(this, this.#postgres.arrivals, { log: this.#log, after, arrived });
  }

  async range(): Promise<{ readonly oldest: Position; readonly newest: Position } | undefined> {
    const outcome = await this.#postgres.run(this.#statements.range, [this.#log]);
    const row = outcome.state === 'done' ? outcome.rows[0] : undefined;
    return row === undefined ? undefined : { oldest: Number(row[0]), newest: Number(row[1]) };
  }

  async trim(through: Position): Promise<void> {
    for (let isMore = true; isMore; ) {
      const { framesMax, bytesMax } = trimmed;
      const values = [this.#log, through, framesMax, bytesMax];
      const outcome = await this.#postgres.run(this.#statements.trim, values);
      // One that failed is done by the next checkpoint's.
      isMore = outcome.state === 'done' && outcome.rows.length > 0;
    }
  }

  async close(): Promise<void> {}

  async #append(frame: Uint8Array, behind: Position | null): Promise<Appended> {
    const values = [this.#log, behind, frame, this.#postgres.isStrict];
    const outcome = await this.#postgres.run(this.#statements.append, values);
    if (outcome.state === 'unknown') return { state: 'unknown', reason: outcome.reason };
    if (outcome.state === 'failed')
      return outcome.failure.code === diskFullCode
        ? { state: 'full' }
        : { state: 'unknown', reason: outcome.failure.reason };
    const position = Number(outcome.rows[0]?.[0]);
    if (position === answers.refused) return { state: 'refused' };
    if (position === answers.full) return { state: 'full' };
    if (!(position > 0)) return { state: 'unknown', reason: 'PostgreSQL has no such log' };
    this.#postgres.arrivals.tell(this.#log);
    return { state: 'appended', position };
  }
}

function statementsOf(
  schema: string,
): Readonly<Record<'append' | 'read' | 'range' | 'trim', Statement>> {
  return {
    append: {
      name: 'append',
      text: `select ${schema}.append($1::int, $2::bigint, $3::bytea, $4::bool)::float8`,
    },
    // The mark is written once, by the first row that has a frame, and only where a standby counts.
    read: {
      name: 'read',
      text: `select l.trimmed_through::float8, f.position::float8, f.frame,
          case when f.position is not null and current_setting('synchronous_standby_names') <> ''
            then (select pg_logical_emit_message(true, 'engage', '')) end is null
        from ${schema}.logs l left join lateral (
          select position, frame, total, first_value(total) over (order by position) as first_total
          from (select position, frame, total from ${schema}.frames
            where log = l.id and position > $2::bigint order by position limit ${readFramesMax}) near
        ) f on f.position = $2::bigint + 1 or f.total <= f.first_total + $3::bigint
        where l.id = $1::int order by f.position`,
    },
    range: {
      name: 'range',
      text: `select (trimmed_through + 1)::float8, coalesce((select position from ${schema}.frames
          where log = id order by position desc limit 1), trimmed_through)::float8
        from ${schema}.logs where id = $1::int`,
    },
    // The log's row comes last, and its lock is short: a trim that a crash undoes is done again.
    trim: {
      name: 'trim',
      text: `with near as (
          select f.position, f.total, l.trimmed_through, l.trimmed_bytes
          from ${schema}.logs l join ${schema}.frames f on f.log = l.id
          where l.id = $1::int and f.position <= $2::bigint
            and f.position <= l.trimmed_through + $3::int
        ), gone as (
          delete from ${schema}.frames using near where frames.log = $1::int
            and frames.position = near.position
            and (near.position = near.trimmed_through + 1
              or near.total <= near.trimmed_bytes + $4::bigint)
          returning frames.position, frames.total
        ), newest as (
          select max(position) as position, max(total) as total,
            set_config('synchronous_commit', 'off', true) from gone
        )
        update ${schema}.logs set trimmed_through = newest.position, trimmed_bytes = newest.total
        from newest where id = $1::int and newest.position > trimmed_through
        returning trimmed_through::float8`,
    },
  };
}

class PostgresTail implements LogTail {
  readonly #log: PartitionLog;
  readonly #arrivals: Arrivals;
  readonly #unwatch: () => void;
  #read: Position;
  #isGrown = true;
  #askedMs: Millis = 0;

  constructor(
    log: PartitionLog,
    arrivals: Arrivals,
    { log: number, after, arrived }: { log: number; after: Position; arrived: () => void },
  ) {
    this.#log = log;
    this.#arrivals = arrivals;
    this.#read = after;
    this.#unwatch = arrivals.watch(number, () => {
      this.#isGrown = true;
      arrived();
    });
  }

  async next(): Promise<readonly LoggedFrame[] | undefined> {
    const isQuiet = this.#arrivals.isListening && !this.#isGrown;
    if (isQuiet && performance.now() - this.#askedMs < unaskedMs) return [];
    this.#isGrown = false;
    this.#askedMs = performance.now();
    const frames = await this.#log.read(this.#read, tailBytes);
    const newest = frames?.at(-1);
    if (newest !== undefined) this.#read = newest.position;
    // More may follow, and what failed is asked again.
    if (frames === undefined || newest !== undefined) this.#isGrown = true;
    return frames;
  }

  close(): void {
    this.#unwatch();
  }
}

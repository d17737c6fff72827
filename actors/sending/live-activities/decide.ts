// Registers, rotates and lists Live Activities; `update.ts` sends to them. Outcomes of those sends
// close rows with a dead token (`actors/sending/outbox/settlement-effects.ts`).

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId, parseId } from '../../../engine/base/id.ts';
import { DamagedRecord, orDamaged } from '../../../storage/codec.ts';
import { type LiveActivityRow, liveActivities } from '../../../storage/tables/live-activity.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { fault, notFound, unknownId } from '../../faults.ts';
import { cursorIn, cursorOf } from '../../list-order.ts';
import { readPerson } from '../../people/audience/find-person.ts';
import type { ReadToken } from '../../people/audience/read-token.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import type { LiveActivitiesMemory, LiveActivitiesView } from './memory.ts';
import type {
  LiveActivitiesEntry,
  LiveActivitiesProtocol,
  LiveActivityInput,
  LiveActivityView,
} from './protocol.ts';
import { activitiesOf, added, readActivity } from './registry.ts';
import { push } from './update.ts';

type Reply<K extends keyof LiveActivitiesProtocol> = LiveActivitiesProtocol[K]['reply'];

/** Rows that one page of a filtered list reads. */
const scanMax = 1_000;

export interface LiveActivitiesRules {
  readonly keyring: { readonly read: ReadToken };
}

export function liveActivitiesDecisions({
  keyring: { read: readToken },
}: LiveActivitiesRules): Decisions<LiveActivitiesProtocol, LiveActivitiesMemory> {
  return {
    'live_activity.register': (state, { clientToken, activity }, context) =>
      withApp(state, context, (app) => {
        const read = readToken(app, clientToken, context);
        return 'fault' in read ? refused(read.fault) : register(read.row, activity, context);
      }),

    'live_activity.rotate': (state, { id, clientToken, pushToken }, context) =>
      withApp(state, context, (app) => {
        const read = readToken(app, clientToken, context);
        if ('fault' in read) return refused(read.fault);
        const row = readActivity(id, context);
        if (row === undefined || row.person !== read.row.person)
          return refused(notFound('live activity'));
        return rotate(row, pushToken, context);
      }),

    'live_activity.push': (state, message, context) =>
      withApp(state, context, (app) => push(state, app, message, context)),

    'live_activity.list': (state, message, context) =>
      withApp(state, context, (app) => list(app, message, context)),
  };
}

/** The same token again updates the activity: a client may not know its call got through. */
function register(
  { person, id: subscriberId, devices }: SubscriberRow,
  activity: LiveActivityInput,
  context: Context,
): Decision<Reply<'live_activity.register'>> {
  const { deviceId, pushToken } = activity;
  if (deviceId !== undefined && !devices.some(({ id }) => id === deviceId))
    return refused(unknownId('deviceId', 'device', deviceId));
  const { nowMs, owner, rng } = context;
  const theirs = activitiesOf(person, context);
  const known = theirs.find((row) => row.state === 'active' && row.pushToken === pushToken);
  if (known !== undefined) return write({ ...known, ...activity, updatedMs: nowMs }, context);
  const row: LiveActivityRow = {
    id: newId('la', owner, nowMs, rng),
    person,
    subscriberId,
    ...activity,
    tokenMs: nowMs,
    rotations: 0,
    state: 'active',
    timestamp: 0,
    createdMs: nowMs,
    updatedMs: nowMs,
  };
  return accepted(
    { id: row.id },
    { entries: [changed(row, context)], documents: added(row, theirs) },
  );
}

/** A new token reopens a closed activity; an ended one may need it for its end. */
function rotate(
  row: LiveActivityRow,
  pushToken: string,
  context: Context,
): Decision<Reply<'live_activity.rotate'>> {
  const { nowMs } = context;
  if (row.pushToken === pushToken) {
    if (row.state === 'closed') return refused(deadToken);
    return accepted({ id: row.id, state: row.state });
  }
  return write(
    {
      ...row,
      pushToken,
      tokenMs: nowMs,
      rotations: row.rotations + 1,
      state: row.state === 'closed' ? 'active' : row.state,
      updatedMs: nowMs,
    },
    context,
  );
}

const deadToken: Fault = {
  ...fault('wrong_state', 'pushToken: Apple rejected this token as dead; send the new one'),
  field: 'pushToken',
};

function write(row: LiveActivityRow, context: Context): Decision<Reply<'live_activity.rotate'>> {
  return accepted(
    { id: row.id, state: row.state },
    {
      entries: [changed(row, context)],
      documents: [{ table: liveActivities, key: [row.id], value: row }],
    },
  );
}

function changed({ id, state }: LiveActivityRow, { owner }: Context): LiveActivitiesEntry {
  return { kind: 'live_activity.changed', owner, id, state };
}

function list(
  app: LiveActivitiesView,
  {
    to,
    state,
    order = 'oldest',
    limit,
    ...asked
  }: LiveActivitiesProtocol['live_activity.list']['body'],
  context: Context,
): Decision<Reply<'live_activity.list'>> {
  const after = asked.cursor === undefined ? undefined : (cursorOf(order, asked.cursor) ?? '');
  if (after !== undefined && parseId('la', after) === undefined)
    return refused(fieldFault('cursor', 'invalid cursor for this list'));
  const isNewest = order === 'newest';
  let rows: readonly LiveActivityRow[];
  let isWhole = true;
  if (to === undefined) {
    const wanted = state === undefined ? limit + 1 : scanMax;
    const begin = after !== undefined && (isNewest ? { to: [after] } : { from: [`${after}\0`] });
    rows = context.documents
      .range(liveActivities, { ...begin, reverse: isNewest, limit: wanted })
      .map(({ value }) => value);
    isWhole = rows.length < wanted;
  } else {
    const person = readPerson(app, to, context);
    if (person === undefined) return refused(notFound('subscriber'));
    const theirs = activitiesOf(person.person, context).filter(
      ({ id }) => after === undefined || (isNewest ? id < after : id > after),
    );
    rows = isNewest ? theirs.reverse() : theirs;
  }
  const items: LiveActivityView[] = [];
  const goOn = (id: string | undefined) => (id === undefined ? null : cursorIn(order, id));
  for (const row of rows) {
    if (state !== undefined && row.state !== state) continue;
    if (items.length === limit) return accepted({ items, nextCursor: goOn(items.at(-1)?.id) });
    const person = orDamaged(() => readPerson(app, { id: row.subscriberId }, context));
    items.push(viewOf(row, person instanceof DamagedRecord ? undefined : person));
  }
  return accepted({ items, nextCursor: isWhole ? null : goOn(rows.at(-1)?.id) });
}

function viewOf(row: LiveActivityRow, person: SubscriberRow | undefined): LiveActivityView {
  const { id, activityType, subscriberId, state, attributes, deviceId, createdMs, updatedMs } = row;
  return {
    id,
    activityType,
    subscriberId,
    ...(person?.externalUserId === undefined ? {} : { externalUserId: person.externalUserId }),
    state,
    ...(attributes === undefined ? {} : { attributes }),
    ...(deviceId === undefined ? {} : { deviceId }),
    createdMs,
    updatedMs,
  };
}

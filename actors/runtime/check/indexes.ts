// The third pass of a check: what is written down twice must agree. Endpoints with the devices of
// their people, both ways; people, opt-outs, handles of templates and open sends in memory with
// their records; dead letters with their sends; in-app messages with the messages they show; Live
// Activities with their people's lists. All of it is read from one snapshot, so nothing can be
// between two writes.

import { dayMs, type Millis, type Ordinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import { Documents } from '../../../storage/documents.ts';
import { type DecodedKey, decodeKey } from '../../../storage/keys.ts';
import type { PartitionSnapshot } from '../../../storage/partition-snapshot.ts';
import { tableById } from '../../../storage/table.ts';
import { auditNotes } from '../../../storage/tables/audit-note.ts';
import {
  type LiveActivityOfPersonRow,
  type LiveActivityRow,
  liveActivities,
  liveActivitiesOfPeople,
} from '../../../storage/tables/live-activity.ts';
import { type MessageRow, messages } from '../../../storage/tables/message.ts';
import {
  type DeadLetterRow,
  deadLetters,
  type SendRow,
  sends,
} from '../../../storage/tables/send.ts';
import {
  type AliasRow,
  aliases,
  type DeviceRow,
  type EndpointRow,
  endpoints,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import { type TemplateRow, templates } from '../../../storage/tables/template.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import { normaliseEndpoint } from '../../people/audience/identity.ts';
import { endpointKey } from '../../people/audience/upsert.ts';
import { sendRow } from '../../sending/transactional/send-chunk.ts';
import type { AppState, PartitionState } from '../../state.ts';
import type { Problems } from './problems.ts';

/** What is counted per app while its documents pass by. */
interface Seen {
  people: number;
  aliases: number;
  suppressions: number;
  messages: number;
  templates: number;
  /** Dead letters that sends count and that have not passed by yet. */
  readonly sends: Map<string, { open: number; recovered: number }>;
}

/** Compares every document with the memory of `state` and with the other records it stands for. */
export function checkIndexes(
  snapshot: PartitionSnapshot,
  state: PartitionState,
  nowMs: Millis,
  problems: Problems,
  tick: (what: string) => void,
): void {
  const documents = new Documents(snapshot);
  const seen = new Map<Ordinal, Seen>();
  const strangers = new Set<Ordinal>();
  let count = 0;
  const check = (key: Uint8Array, value: Uint8Array) => {
    const table = tableById(key[0] ?? -1);
    if (table === undefined) return; // the first pass has told
    const name = decodeKey(key);
    const { owner } = name;
    if (table.id === auditNotes.id && state.orgs.has(owner)) return; // an org's own
    const app = state.apps.get(owner);
    if (app === undefined) {
      if (state.tombstones.has(owner) || strangers.has(owner)) return;
      strangers.add(owner);
      problems.add(`there are documents of owner ${owner}, which is unknown in memory`);
      return;
    }
    const counts = seen.get(owner) ?? nothingSeen();
    seen.set(owner, counts);
    if (table.id === subscribers.id) counts.people++;
    else if (table.id === suppressions.id) counts.suppressions++;
    else if (table.id === messages.id) counts.messages++;
    else if (table.id === templates.id) counts.templates++;
    const row = table.decode(value, key);
    switch (table.id) {
      case subscribers.id:
        return checkPerson(app, name, row as SubscriberRow, documents, problems);
      case endpoints.id:
        return checkEndpoint(app, name, row as EndpointRow, documents, problems);
      case aliases.id:
        counts.aliases++;
        return checkAlias(app, name, row as AliasRow, problems);
      case suppressions.id:
        return checkSuppression(app, name, row as SuppressionRow, problems);
      case liveActivities.id:
        return checkActivity(app, name, row as LiveActivityRow, documents, problems);
      case liveActivitiesOfPeople.id:
        return checkActivityOf(app, name, row as LiveActivityOfPersonRow, documents, problems);
      case messages.id:
        return checkMessage(app, name, row as MessageRow, problems);
      case templates.id:
        return checkTemplate(app, name, row as TemplateRow, problems);
      case sends.id:
        return countLetters(counts, row as SendRow, cutOf(app, nowMs));
      case deadLetters.id:
        return checkLetter(app, counts, row as DeadLetterRow, cutOf(app, nowMs), problems);
      default:
    }
  };
  for (const { key, value } of snapshot.documents()) {
    if (++count % 65536 === 0) tick(`${count} documents against their indexes`);
    unlessDamaged(() => check(key, value));
  }
  for (const [owner, app] of state.apps) {
    const counts = seen.get(owner) ?? nothingSeen();
    const { id } = app.record;
    if (counts.people !== app.people.count)
      problems.add(
        `${id}: memory has ${app.people.count} people, but there are ${counts.people} records`,
      );
    const merged = app.people.merged().length / 2;
    if (counts.aliases !== merged)
      problems.add(`${id}: memory has ${merged} aliases, but there are ${counts.aliases} records`);
    if (counts.suppressions !== app.suppressions.size)
      problems.add(
        `${id}: memory has ${app.suppressions.size} opt-outs, but there are ${counts.suppressions} records`,
      );
    if (counts.messages !== app.messageCount)
      problems.add(
        `${id}: memory counts ${app.messageCount} messages, but there are ${counts.messages} records`,
      );
    if (counts.templates !== app.templates.size)
      problems.add(
        `${id}: memory has ${app.templates.size} template handles, but there are ${counts.templates} records`,
      );
    checkInApp(app, documents, problems);
    checkLetterCounts(app, counts, problems);
    checkOutbox(app, documents, cutOf(app, nowMs), problems);
  }
}

function nothingSeen(): Seen {
  return {
    people: 0,
    aliases: 0,
    suppressions: 0,
    messages: 0,
    templates: 0,
    sends: new Map(),
  };
}

/** Before this instant retention may have taken some of what belongs together. */
function cutOf(app: AppState, nowMs: Millis): Millis {
  return nowMs - (app.settings.eventsRetentionDays ?? limits.eventsRetentionDays) * dayMs;
}

function countLetters({ sends: counted }: Seen, row: SendRow, cutMs: Millis): void {
  const { id, acceptedMs, deadLettersOpen: open, deadLettersRecovered: recovered } = row;
  if (open + recovered > 0 && acceptedMs >= cutMs) counted.set(id, { open, recovered });
}

function checkPerson(
  app: AppState,
  { owner, parts }: DecodedKey,
  row: SubscriberRow,
  documents: Documents,
  problems: Problems,
): void {
  const { person } = row;
  const at = `${app.record.id}, person ${person}`;
  if (parts[0] !== person) problems.add(`${at}: the record is stored under ${String(parts[0])}`);
  const { people } = app;
  if (person >= people.next || people.erased.has(person) || people.canonical(person) !== person)
    problems.add(`${at}: the record is of someone who is missing in memory`);
  const id = parseId('sub', row.id);
  if (id === undefined || id.ordinal !== owner || id.low32 !== person)
    problems.add(`${at}: the id ${row.id} belongs to someone else`);
  const known = row.externalUserId === undefined ? person : app.people.find(row.externalUserId);
  if (known !== person)
    problems.add(
      `${at}: memory has ${known === undefined ? 'nobody' : `person ${known}`} under its external id`,
    );
  for (const device of row.devices) {
    const found = documents.get(endpoints, owner, deviceKey(device));
    if (found === undefined)
      problems.add(`${at}: the endpoint of ${device.id} is not in the index`);
    else if (found.person !== person || found.deviceId !== device.id)
      problems.add(
        `${at}: the endpoint of ${device.id} is filed as ${found.deviceId} of person ${found.person}`,
      );
  }
}

function checkEndpoint(
  app: AppState,
  { owner, parts }: DecodedKey,
  { person, deviceId }: EndpointRow,
  documents: Documents,
  problems: Problems,
): void {
  const at = `${app.record.id}, endpoint of ${deviceId}`;
  const row = documents.get(subscribers, owner, [person]);
  const device = row?.devices.find((one) => one.id === deviceId);
  if (device === undefined) {
    problems.add(`${at}: person ${person} has no such device`);
    return;
  }
  const [channel, digest] = deviceKey(device);
  if (channel !== parts[0] || Buffer.compare(digest, parts[1] as Uint8Array) !== 0)
    problems.add(`${at}: the device has another endpoint`);
}

function checkAlias(
  app: AppState,
  { owner, parts }: DecodedKey,
  row: AliasRow,
  problems: Problems,
): void {
  const person = Number(parts[0]);
  const at = `${app.record.id}, alias ${person}`;
  const id = parseId('sub', row.id);
  if (id === undefined || id.ordinal !== owner || id.low32 !== person)
    problems.add(`${at}: the id ${row.id} belongs to someone else`);
  if (app.people.canonical(person) !== row.into)
    problems.add(`${at}: is an alias of person ${row.into}, but memory disagrees`);
}

function checkSuppression(
  app: AppState,
  { parts }: DecodedKey,
  row: SuppressionRow,
  problems: Problems,
): void {
  const key = String(parts[0]);
  // The key holds an address, so a problem names only its class.
  const at = `${app.record.id}, an opt-out of ${row.identity}`;
  if (key !== `${row.identity}:${row.address}`)
    problems.add(`${at}: the record is stored under another address`);
  if (!app.suppressions.has(key)) problems.add(`${at}: is missing in memory`);
}

function checkActivity(
  app: AppState,
  { owner, parts }: DecodedKey,
  { id, person, subscriberId }: LiveActivityRow,
  documents: Documents,
  problems: Problems,
): void {
  const at = `${app.record.id}: the Live Activity ${id}`;
  if (parts[0] !== id) problems.add(`${at} is stored under ${String(parts[0])}`);
  if (documents.get(liveActivitiesOfPeople, owner, [person, id])?.id !== id)
    problems.add(`${at} is not in the list of person ${person}`);
  if (documents.get(subscribers, owner, [person])?.id !== subscriberId)
    problems.add(`${at} belongs to ${subscriberId}, which person ${person} is not`);
}

function checkActivityOf(
  app: AppState,
  { owner, parts }: DecodedKey,
  { id }: LiveActivityOfPersonRow,
  documents: Documents,
  problems: Problems,
): void {
  if (documents.get(liveActivities, owner, [id])?.person !== parts[0])
    problems.add(
      `${app.record.id}: the list of person ${String(parts[0])} has the Live Activity ${id}, which belongs to someone else`,
    );
}

function checkMessage(
  app: AppState,
  { parts }: DecodedKey,
  { id }: MessageRow,
  problems: Problems,
): void {
  if (parts[0] !== id)
    problems.add(`${app.record.id}: the message ${id} is stored under ${String(parts[0])}`);
}

function checkTemplate(
  app: AppState,
  { parts }: DecodedKey,
  { id, name }: TemplateRow,
  problems: Problems,
): void {
  if (parts[0] !== id)
    problems.add(`${app.record.id}: the template ${id} is stored under ${String(parts[0])}`);
  const known = app.templates.get(name);
  if (known !== id)
    problems.add(
      `${app.record.id}: the handle of ${id} points ${known === undefined ? 'nowhere' : `to ${known}`}`,
    );
}

function checkInApp(app: AppState, documents: Documents, problems: Problems): void {
  for (const { id, messageId } of app.inApp.records()) {
    unlessDamaged(() => {
      if (documents.get(messages, app.record.ordinal, [messageId]) === undefined)
        problems.add(`${app.record.id}: ${id} shows the message ${messageId}, which has no record`);
    });
  }
}

/**
 * Dead letters follow their sends in the order of tables, so each is struck off what its send has
 * counted.
 */
function checkLetter(
  app: AppState,
  { sends: counted }: Seen,
  letter: DeadLetterRow,
  cutMs: Millis,
  problems: Problems,
): void {
  const acceptedMs = parseId('ntf', letter.sendId)?.atMs ?? 0;
  if (acceptedMs < cutMs) return; // retention takes sends and letters away page by page
  const counts = counted.get(letter.sendId);
  if (counts === undefined) {
    problems.add(`${app.record.id}: there is a dead letter of ${letter.sendId}, which counts none`);
  } else if (letter.recoveredMs === undefined) counts.open--;
  else counts.recovered--;
}

function checkLetterCounts(app: AppState, { sends: counted }: Seen, problems: Problems): void {
  for (const [sendId, { open, recovered }] of counted) {
    if (open === 0 && recovered === 0) continue;
    problems.add(
      `${app.record.id}: ${sendId} counts ${open} open and ${recovered} recovered dead letters more than exist`,
    );
  }
}

function checkOutbox(app: AppState, documents: Documents, cutMs: Millis, problems: Problems): void {
  const owner = app.record.ordinal;
  for (const job of app.outbox.jobs.values()) {
    unlessDamaged(() => {
      const at = `${app.record.id}: ${job.sendId}`;
      const row = sendRow(
        { get: (table, key) => documents.get(table, owner, key) },
        owner,
        job.sendId,
      );
      if (row === undefined) {
        if (job.acceptedMs >= cutMs) problems.add(`${at} is queued, but has no record`);
        return;
      }
      if (app.people.canonical(row.person) !== job.person)
        problems.add(`${at} is queued for person ${job.person}, but is for ${row.person}`);
      for (const { deviceId } of job.targets) {
        if (!row.targets.some((target) => target.deviceId === deviceId))
          problems.add(`${at} is queued for ${deviceId}, but is not for it`);
      }
    });
  }
}

/** The key of a device's endpoint in the index. */
function deviceKey({ channel, endpoint }: DeviceRow): readonly [string, Uint8Array] {
  const normal = normaliseEndpoint(channel as ChannelId, endpoint, { allowHttp: true });
  return endpointKey(channel, 'problem' in normal ? JSON.stringify(endpoint) : normal.key);
}

/** Compares, unless one of the records cannot be read: the first pass has told that. */
function unlessDamaged(compare: () => void): void {
  try {
    compare();
  } catch (error) {
    if (!(error instanceof DamagedRecord)) throw error;
  }
}

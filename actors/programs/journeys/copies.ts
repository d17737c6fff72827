// The content that a journey sends, copied when it goes live, so that later edits change nothing
// for its runs. One copy per send step, and another version for each correction of it: a send keeps
// the one that it was queued with.

import type { Context, DocumentReader, DocumentWrite } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { contentCopies, forgetCopies } from '../../../storage/tables/content-copy.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { ttlMsOf } from '../../content/shape/delivery-options.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import { fault, notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { savedMessagesFault } from './graph.ts';
import type { SendOperation } from './program.ts';
import type { JourneyRecord } from './records.ts';

interface Copies {
  readonly documents: readonly DocumentWrite[];
  readonly copied: readonly string[];
  readonly ttlMs: Readonly<Record<string, Millis>>;
}

/** Copies older than so many versions go; only dead letters may still name them. */
const versionsKept = 100;

type Copied = Pick<JourneyRecord, 'id' | 'copies'>;
type Copying = Pick<Context, 'documents' | 'nowMs'>;

export function stepCopyKey({ id, copies }: Copied, step: string): string {
  return copyKey(id, step, versionOf(copies, step));
}

/** Step ids are free text, so the version stands before them. */
function copyKey(journeyId: string, step: string, version: number): string {
  return version === 1 ? `${journeyId}/${step}` : `${journeyId}@${version}/${step}`;
}

function versionOf(copies: JourneyRecord['copies'], step: string): number {
  return copies !== undefined && Object.hasOwn(copies, step) ? (copies[step] as number) : 1;
}

/** The copies to write, and removals of all others. Missing messages are skipped. */
export function journeyCopies(
  { id: journeyId, program }: JourneyRecord,
  context: Copying,
): Copies | { readonly fault: Fault } {
  const documents: DocumentWrite[] = [];
  const ttlMs: Record<string, Millis> = {};
  const steps: string[] = [];
  let characters = 0;
  for (const operation of program.operations) {
    const content = operation.kind === 'send' ? contentOf(operation, context) : undefined;
    if (operation.kind !== 'send' || content === undefined) continue;
    const { step, message } = operation;
    characters += JSON.stringify(content).length;
    const id = copyKey(journeyId, step, 1);
    const of = 'messageId' in message ? { messageId: message.messageId } : {};
    const value = { id, ...of, content, copiedMs: context.nowMs };
    documents.push({ table: contentCopies, key: [id], value });
    steps.push(step);
    const life = ttlMsOf(content);
    if (life !== undefined) ttlMs[step] = life;
  }
  const most = limits.journeyCopiesCharsMax;
  if (characters > most)
    return {
      fault: fault(
        'limit_reached',
        `this journey cannot go live: its messages have ${characters} characters as JSON, at most ${most} are allowed in total`,
      ),
    };
  const kept = new Set(documents.map(({ key }) => key[0]));
  const gone = forgetCopies(journeyId, context).filter(({ key }) => !kept.has(key[0]));
  return { documents: [...documents, ...gone], copied: steps, ttlMs };
}

/** A live journey with the content of one of its steps copied anew, as its program has it. */
export function correctedCopy(
  record: JourneyRecord,
  operation: SendOperation,
  context: Copying,
):
  | { readonly record: JourneyRecord; readonly documents: readonly DocumentWrite[] }
  | { readonly fault: Fault } {
  const { step, message } = operation;
  const content = contentOf(operation, context);
  if (content === undefined) return { fault: notFound('message') };
  const most = limits.journeyCopiesCharsMax;
  const others = (record.copied ?? []).filter((one) => one !== step);
  let characters = JSON.stringify(content).length;
  for (const one of others) {
    const row = context.documents.get(contentCopies, [stepCopyKey(record, one)]);
    characters += JSON.stringify(row?.content ?? null).length;
  }
  if (characters > most)
    return {
      fault: fault(
        'limit_reached',
        `the messages of this live journey would have ${characters} characters as JSON; at most ${most} are allowed in total`,
      ),
    };
  const version = versionOf(record.copies, step) + 1;
  const id = copyKey(record.id, step, version);
  const of = 'messageId' in message ? { messageId: message.messageId } : {};
  const value = { id, ...of, content, copiedMs: context.nowMs };
  const documents: DocumentWrite[] = [{ table: contentCopies, key: [id], value }];
  if (version > versionsKept) {
    const old = copyKey(record.id, step, version - versionsKept);
    documents.push({ table: contentCopies, key: [old], value: undefined });
  }
  const { [step]: _life, ...lives } = record.ttlMs ?? {};
  const life = ttlMsOf(content);
  const ttlMs = life === undefined ? lives : { ...lives, [step]: life };
  const copies = { ...record.copies, [step]: version };
  return { record: { ...record, copied: [...others, step], copies, ttlMs }, documents };
}

/**
 * What a step sent at an instant; `undefined` once the journey has gone live again since. `isSure`
 * is false of the very millisecond of a correction.
 */
export function copyOfStepAt(
  record: Copied,
  step: string,
  atMs: Millis,
  { documents }: { readonly documents: DocumentReader },
): { readonly content: MessageContent; readonly isSure: boolean } | undefined {
  for (let version = versionOf(record.copies, step); version > 0; version--) {
    const row = documents.get(contentCopies, [copyKey(record.id, step, version)]);
    if (row?.copiedMs === undefined) return undefined;
    if (row.copiedMs > atMs) continue;
    return { content: row.content as MessageContent, isSure: row.copiedMs < atMs };
  }
  return undefined;
}

/** Checks the messages that the steps send now. */
export function messagesFault(
  { steps }: JourneyRecord,
  context: { readonly documents: DocumentReader },
): Fault | undefined {
  return savedMessagesFault(steps, (messageId) => readMessage(messageId, context)?.content);
}

/** The lifetimes of sends by step, from the messages as they are now. */
export function stepTtls(
  { program }: JourneyRecord,
  context: { readonly documents: DocumentReader },
): ReadonlyMap<string, Millis> {
  const lives = new Map<string, Millis>();
  for (const operation of program.operations) {
    const content = operation.kind === 'send' ? contentOf(operation, context) : undefined;
    const life = content && ttlMsOf(content);
    if (operation.kind === 'send' && life !== undefined) lives.set(operation.step, life);
  }
  return lives;
}

/** The lifetime of a step's sends. Checks own properties: step ids are free text. */
export function ttlMsOfStep(
  lives: Readonly<Record<string, Millis>> | undefined,
  step: string,
): Millis | undefined {
  return lives !== undefined && Object.hasOwn(lives, step) ? lives[step] : undefined;
}

/** What a step would send now. */
function contentOf(
  { message }: SendOperation,
  context: { readonly documents: DocumentReader },
): MessageContent | undefined {
  return 'messageId' in message
    ? readMessage(message.messageId, context)?.content
    : message.message;
}

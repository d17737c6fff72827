// The content that a journey sends, copied when it goes live, so that later edits change nothing
// for its runs. One copy per send step.

import type { DocumentReader, DocumentWrite } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { contentCopies } from '../../../storage/tables/content-copy.ts';
import { ttlMsOf } from '../../content/delivery-options.ts';
import type { MessageContent } from '../../content/message-schema.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { fault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { savedMessagesFault } from './graph.ts';
import type { SendOperation } from './program.ts';
import type { JourneyRecord } from './records.ts';

interface Copies {
  readonly documents: readonly DocumentWrite[];
  readonly copied: readonly string[];
  readonly ttlMs: Readonly<Record<string, Millis>>;
}

export function stepCopyKey(journeyId: string, step: string): string {
  return `${journeyId}/${step}`;
}

/** The step in a copy's key; `undefined` for another journey's. */
export function stepOfCopyKey(journeyId: string, key: string | undefined): string | undefined {
  const start = `${journeyId}/`;
  return key?.startsWith(start) ? key.slice(start.length) : undefined;
}

/** The copies to write, and removals for deleted steps. Missing messages are skipped. */
export function journeyCopies(
  { id: journeyId, program, copied = [] }: JourneyRecord,
  context: { readonly documents: DocumentReader },
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
    const id = stepCopyKey(journeyId, step);
    const of = 'messageId' in message ? { messageId: message.messageId } : {};
    documents.push({ table: contentCopies, key: [id], value: { id, ...of, content } });
    steps.push(step);
    const life = ttlMsOf(content);
    if (life !== undefined) ttlMs[step] = life;
  }
  const most = limits.journeyCopiesCharsMax;
  if (characters > most)
    return {
      fault: fault(
        'conflict',
        `this journey cannot go live: its messages have ${characters} characters as JSON, at most ${most} are allowed in total`,
      ),
    };
  const kept = new Set(steps);
  const gone = copied.filter((step) => !kept.has(step));
  return { documents: [...documents, ...removals(journeyId, gone)], copied: steps, ttlMs };
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

export function forgetJourneyCopies({ id, copied = [] }: JourneyRecord): DocumentWrite[] {
  return removals(id, copied);
}

function removals(journeyId: string, steps: readonly string[]): DocumentWrite[] {
  return steps.map((step) => ({
    table: contentCopies,
    key: [stepCopyKey(journeyId, step)],
    value: undefined,
  }));
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

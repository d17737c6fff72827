// Creates, reads, changes, switches, archives, deletes and lists journeys. A change is merged
// first and the result checked as a whole. Steps and trigger of a live journey are frozen, but a
// change to the same value is allowed. A live one is not archived, so archiving stops no send.
// Source: specification, "Journey"; contract, section 8.

import { isDeepStrictEqual } from 'node:util';
import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
  refused,
} from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { forgetCopies } from '../../../storage/tables/content-copy.ts';
import { copiedName } from '../../copied-name.ts';
import { nameCharsMax } from '../../events/ingest/names.ts';
import { fault, notFound, unknownId } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { isNamed, numberedPage } from '../../list-order.ts';
import type { CountedPage } from '../../people/audience/protocol.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import { fieldWarningsFault, type WarningsOfCall, withFieldWarnings } from '../field-warnings.ts';
import { messagesFault } from './copies.ts';
import type { JourneysEntry } from './entries.ts';
import { acceptGraph } from './graph.ts';
import type { Journey } from './journeys.ts';
import type { JourneysMemory, JourneysView } from './memory.ts';
import { listPeople } from './people.ts';
import { compileProgram } from './program.ts';
import type { JourneyChange, JourneyInput, JourneysProtocol } from './protocol.ts';
import type { JourneyRecord } from './records.ts';
import { journeyStats } from './stats.ts';
import { overTemplateOf } from './step-template.ts';
import { activateInPlace, deactivate } from './switch.ts';

type AuthorKind =
  | 'create'
  | 'duplicate'
  | 'read'
  | 'update'
  | 'archive'
  | 'unarchive'
  | 'delete'
  | 'list'
  | 'stats'
  | 'people';
type AuthorProtocol = Pick<JourneysProtocol, `journey.${AuthorKind}`>;

/** Fields that a call may omit and every journey has. */
type Defaulted = 'name' | 'reentry' | 'steps' | 'program';
type Unfinished = Omit<JourneyRecord, Defaulted> & Partial<Pick<JourneyRecord, Defaulted>>;

export const journeyAuthorDecisions: Decisions<AuthorProtocol, JourneysMemory> = {
  'journey.create': (state, { input, doubts }, context) =>
    withApp(state, context, (app) => create(app, input, context, doubts)),

  'journey.duplicate': (state, { id, name }, context) =>
    withJourney(state, id, context, ({ record }, app) => {
      const { triggerEvent, triggerSegmentId, reentry, steps } = record;
      const made = create(
        app,
        {
          name: name ?? copiedName(record.name),
          reentry,
          steps,
          ...(triggerEvent === undefined ? {} : { triggerEvent }),
          ...(triggerSegmentId === undefined ? {} : { triggerSegmentId }),
        },
        context,
        { found: record.doubts ?? [], given: [] },
      );
      if (made.outcome !== 'refused') return made;
      const why = made.fault.message;
      return refused(fault('wrong_state', `this journey cannot be duplicated: ${why}`));
    }),

  'journey.read': (state, { id }, context) =>
    withJourney(state, id, context, ({ record }) => accepted(record)),

  'journey.update': (state, { id, change, active, ...switched }, context) =>
    withJourney(state, id, context, (journey, app) => {
      const { doubts, confirmWarnings } = switched;
      const { record: before } = journey;
      const verb = active === true ? 'activate' : 'change';
      if (before.archivedMs !== undefined) return refused(archivedFault(verb));
      const judged = changed(app, before, change, context);
      if ('fault' in judged) return refused(judged.fault);
      const record = withFieldWarnings({ ...judged.record, updatedMs: context.nowMs }, doubts);
      const misplaced = active === true ? undefined : misplacedFault(switched);
      if (misplaced !== undefined) return refused(misplaced);
      const doubtful = active === true ? fieldWarningsFault(record, confirmWarnings) : undefined;
      if (doubtful !== undefined) return refused(doubtful);
      if (active === true) return activateInPlace(app, journey, record, switched, context);
      if (active === false && before.active) return deactivate(record, context);
      return accepted(record, { entries: [savedJourney(record, context)] });
    }),

  'journey.archive': (state, { id }, context) =>
    withJourney(state, id, context, ({ record }) => {
      if (record.active)
        return refused(
          fault(
            'wrong_state',
            'this journey is live and cannot be archived. Pause it first with active: false',
          ),
        );
      if (record.archivedMs !== undefined) return accepted(record);
      const { nowMs } = context;
      const journey = { ...record, archivedMs: nowMs, updatedMs: nowMs };
      return accepted(journey, { entries: [savedJourney(journey, context)] });
    }),

  'journey.unarchive': (state, { id }, context) =>
    withJourney(state, id, context, ({ record }) => {
      const { archivedMs, ...rest } = record;
      if (archivedMs === undefined) return accepted(record);
      const journey = { ...rest, updatedMs: context.nowMs };
      return accepted(journey, { entries: [savedJourney(journey, context)] });
    }),

  'journey.delete': (state, { id }, context) =>
    withJourney(state, id, context, ({ record }) => {
      if (record.active)
        return refused(
          fault(
            'wrong_state',
            'this journey is live and cannot be deleted. Pause it first with active: false',
          ),
        );
      const entry: JourneysEntry = { kind: 'journey.deleted', owner: context.owner, id };
      const documents: DocumentWrite[] = forgetCopies(record.id, context);
      return accepted(null, { entries: [entry], documents });
    }),

  'journey.list': (state, asked, context) =>
    withApp(state, context, ({ journeys }): Decision<CountedPage<JourneyRecord>> => {
      const { active, archived, q } = asked;
      const page = numberedPage('journeys', context.owner, journeys.all(), asked, {
        number: ({ record }) => record.number,
        isWanted: ({ record }) =>
          (active === undefined || record.active === active) &&
          (archived === 'all' || (record.archivedMs !== undefined) === (archived === 'only')) &&
          isNamed(record.name, q),
        chars: ({ chars }) => chars,
      });
      if ('fault' in page) return refused(page.fault);
      return accepted({ ...page, items: page.items.map(({ record }) => record) });
    }),

  'journey.people': (state, asked, context) =>
    withJourney(state, asked.id, context, (journey) => {
      const page = listPeople(journey, asked, context);
      return 'fault' in page ? refused(page.fault) : accepted(page);
    }),

  'journey.stats': (state, { id }, context) =>
    withJourney(state, id, context, ({ flow, answers }) =>
      accepted(journeyStats(flow.stats, answers)),
    ),
};

function create(
  app: JourneysView,
  input: JourneyInput,
  context: Context,
  doubts?: WarningsOfCall,
): Decision<JourneyRecord> {
  const { journeys } = app;
  if (journeys.size >= limits.journeysMax)
    return refused(
      fault('limit_reached', `an app has at most ${limits.journeysMax} journeys; delete one first`),
    );
  const judged = judgedDraft(app, input, context);
  if ('fault' in judged) return refused(judged.fault);
  const record = withFieldWarnings(judged.record, doubts);
  return accepted(record, { entries: [savedJourney(record, context)] });
}

/** A journey as creating it would store it, or what is wrong with it. */
export function judgedDraft(
  app: JourneysView,
  input: JourneyInput,
  context: Context,
): ReturnType<typeof changed> {
  const { owner, nowMs } = context;
  const fresh: Unfinished = {
    id: newId('jrn', owner, nowMs, context.rng),
    number: app.journeys.nextNumber,
    active: false,
    createdMs: nowMs,
    updatedMs: nowMs,
  };
  return changed(app, fresh, { input, removed: [] }, context);
}

/** Runs `decide` on a journey of this app, or refuses with `not_found`. */
export function withJourney<R>(
  state: JourneysMemory,
  id: string,
  context: Context,
  decide: (journey: Journey, app: JourneysView) => Decision<R>,
): Decision<R> {
  return withApp(state, context, (app) => {
    const journey = app.journeys.get(id);
    return journey === undefined ? refused(notFound('journey')) : decide(journey, app);
  });
}

/** The refusal of what an archived journey does not allow. */
export function archivedFault(verb: 'activate' | 'change' | 'correct'): Fault {
  return fault('wrong_state', `this journey is archived; unarchive it before you ${verb} it`);
}

/** Members that say how it goes live, in a call that does not activate it. */
function misplacedFault({
  enrollExisting,
  replaces,
}: Pick<JourneysProtocol['journey.update']['body'], 'enrollExisting' | 'replaces'>):
  | Fault
  | undefined {
  if (enrollExisting === true)
    return fieldFault(
      'enrollExisting',
      'can only be used with active: true, and without other fields',
    );
  if (replaces === undefined) return undefined;
  return fieldFault('replaces', 'can only be used with active: true');
}

export function savedJourney(journey: JourneyRecord, { owner }: Pick<Context, 'owner'>): Entry {
  const entry: JourneysEntry = { kind: 'journey.saved', owner, journey };
  return entry;
}

/** Merges a change and checks the result. */
function changed(
  app: JourneysView,
  before: Unfinished,
  { input, removed }: JourneyChange,
  context: Context,
): { readonly record: JourneyRecord } | { readonly fault: Fault } {
  const { steps: sentSteps, ...given } = input;
  const merged = without({ ...before, ...given }, removed);
  const { name, reentry = 'once', steps: stepsBefore, ...rest } = merged;
  if (name === undefined) return { fault: fieldFault('name', 'is missing; expected a string') };
  const graph = judgedSteps(app, sentSteps, stepsBefore, context);
  if ('fault' in graph) return graph;
  const { steps } = graph;
  const isSame = stepsBefore !== undefined && isDeepStrictEqual(steps, stepsBefore);
  const program = isSame && before.program !== undefined ? before.program : compileProgram(steps);
  const record: JourneyRecord = { ...rest, name, reentry, steps, program };
  const wrong =
    frozenFault(before, record, isSame) ??
    triggerFault(app, record) ??
    (isSame ? undefined : (messagesFault(record, context) ?? roomFault(app, record)));
  return wrong === undefined ? { record } : { fault: wrong };
}

function judgedSteps(
  app: JourneysView,
  sent: unknown,
  before: JourneyRecord['steps'] | undefined,
  context: Context,
): ReturnType<typeof acceptGraph> {
  if (sent === undefined)
    return before === undefined
      ? { fault: fieldFault('steps', 'is missing; expected a list of steps') }
      : { steps: before };
  const retentionDays = app.settings.eventsRetentionDays ?? limits.eventsRetentionDays;
  const hasTopic = (key: string) => app.topics.has(key);
  return acceptGraph(sent, { retentionDays }, overTemplateOf(app, context), hasTopic);
}

/** Bounds the memory that an app's steps take. */
export function roomFault(
  { journeys }: JourneysView,
  { id, steps }: JourneyRecord,
): Fault | undefined {
  const others = journeys.chars - (journeys.get(id)?.chars ?? 0);
  const most = limits.journeysCharsMax;
  if (others + JSON.stringify(steps).length <= most) return undefined;
  return fault(
    'limit_reached',
    `the steps of all journeys of an app have at most ${most} characters as JSON together; delete a journey first`,
    { field: 'steps' },
  );
}

/** A live journey keeps the steps and trigger it went live with. */
function frozenFault(before: Unfinished, after: JourneyRecord, isSame: boolean): Fault | undefined {
  if (!before.active) return undefined;
  const isFrozen = (member: string) =>
    fault(
      'wrong_state',
      `${member}: this journey is live, so its steps and trigger are frozen. Pause it first with active: false; people in flight then exit at their next wake`,
      { field: member },
    );
  if (!isSame) return isFrozen('steps');
  for (const member of ['triggerEvent', 'triggerSegmentId'] as const)
    if (before[member] !== after[member]) return isFrozen(member);
  return undefined;
}

function triggerFault({ segments }: JourneysView, record: JourneyRecord): Fault | undefined {
  const { triggerEvent, triggerSegmentId } = record;
  if (triggerEvent !== undefined && triggerSegmentId !== undefined)
    return fieldFault(
      'triggerSegmentId',
      'a journey has one trigger, and this one already has triggerEvent; set triggerEvent to null to switch',
    );
  if (triggerSegmentId !== undefined)
    return segments.has(triggerSegmentId)
      ? undefined
      : unknownId('triggerSegmentId', 'segment', triggerSegmentId);
  if (triggerEvent === undefined)
    return fieldFault('triggerEvent', 'is missing; expected triggerEvent or triggerSegmentId');
  if (triggerEvent.length === 0 || triggerEvent.length > nameCharsMax)
    return fieldFault('triggerEvent', `expected 1 to ${nameCharsMax} characters`);
  if (triggerEvent.startsWith('journey_'))
    return fieldFault(
      'triggerEvent',
      'journey events cannot trigger a journey, because two journeys could trigger each other forever',
    );
  return undefined;
}

function without(record: Unfinished, removed: readonly string[]): Unfinished {
  const gone: ReadonlySet<string> = new Set(removed);
  const kept = Object.entries(record).filter(([member]) => !gone.has(member));
  return Object.fromEntries(kept) as unknown as Unfinished;
}

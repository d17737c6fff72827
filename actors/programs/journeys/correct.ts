// Gives one send step another message, also while its journey is live. Who comes to the step next
// gets it; a send that is queued already keeps the copy it was queued with.

import { accepted, type Context, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { readMessage } from '../../content/messages/read-message.ts';
import { fault, notFound, unknownId } from '../../faults.ts';
import { archivedFault, roomFault, savedJourney, withJourney } from './author.ts';
import { correctedCopy } from './copies.ts';
import type { JourneysMemory, JourneysView } from './memory.ts';
import type { Program } from './program.ts';
import type { JourneysProtocol } from './protocol.ts';
import { acceptStepMessage, unfitForChannels } from './step-message.ts';
import { overTemplateOf } from './step-template.ts';
import { eachStep, type SendStep, type Step, type StepMessage } from './steps.ts';

type Correction = Pick<JourneysProtocol['journey.correct']['body'], 'messageId' | 'message'>;

export const correctingDecisions: Decisions<
  Pick<JourneysProtocol, 'journey.correct'>,
  JourneysMemory
> = {
  'journey.correct': (state, { id, step: stepId, ...given }, context) =>
    withJourney(state, id, context, ({ record }, app) => {
      if (record.archivedMs !== undefined) return refused(archivedFault('correct'));
      const step = findStep(record.steps, stepId);
      if (step === undefined) return refused(notFound('step'));
      if (step.type !== 'send')
        return refused(
          fault(
            'wrong_state',
            `the step "${stepId}" is a ${step.type}; only send steps have a message`,
          ),
        );
      const judged = judgedMessage(given, step, app, context);
      if ('fault' in judged) return refused(judged.fault);
      const { message } = judged;
      const steps = withMessage(record.steps, stepId, message);
      const program = corrected(record.program, stepId, message);
      const next = { ...record, steps, program, updatedMs: context.nowMs };
      const wrong = roomFault(app, next);
      if (wrong !== undefined) return refused(wrong);
      const operation = program.operations.find(
        (one) => one.kind === 'send' && one.step === stepId,
      );
      if (!record.active || operation?.kind !== 'send')
        return accepted(next, { entries: [savedJourney(next, context)] });
      const copied = correctedCopy(next, operation, context);
      if ('fault' in copied) return refused(copied.fault);
      const { record: journey, documents } = copied;
      return accepted(journey, { entries: [savedJourney(journey, context)], documents });
    }),
};

function findStep(steps: readonly Step[], id: string): Step | undefined {
  let found: Step | undefined;
  eachStep(steps, (step) => {
    if (step.id === id) found = step;
  });
  return found;
}

function judgedMessage(
  { messageId, message }: Correction,
  { channels }: SendStep,
  app: JourneysView,
  context: Context,
): { readonly message: StepMessage } | { readonly fault: Fault } {
  if (message !== undefined) {
    if (messageId !== undefined)
      return { fault: fieldFault('messageId', 'cannot be combined with message') };
    const judged = acceptStepMessage(message, overTemplateOf(app, context));
    if ('fault' in judged) return { fault: within(judged.fault) };
    const unfit = unfitForChannels(judged.content, channels);
    return unfit === undefined
      ? { message: { message: judged.content } }
      : { fault: within(unfit) };
  }
  if (messageId === undefined)
    return { fault: fieldFault('messageId', 'is missing; expected messageId or message') };
  const saved = readMessage(messageId, context);
  if (saved === undefined) return { fault: unknownId('messageId', 'message', messageId) };
  const unfit = unfitForChannels(saved.content, channels);
  if (unfit === undefined) return { message: { messageId } };
  return { fault: fieldFault('messageId', `this message cannot be used; ${unfit.message}`) };
}

/** A fault of the content, as the member's. */
function within({ code, field, message }: Fault): Fault {
  const told =
    field === undefined
      ? fieldFault('message', message)
      : fieldFault(`message.${field}`, message.slice(field.length + 2));
  return { ...told, code };
}

function withMessage(steps: readonly Step[], id: string, message: StepMessage): readonly Step[] {
  return steps.map((step): Step => {
    if (step.type === 'condition') {
      const then = withMessage(step.then, id, message);
      return step.else === undefined
        ? { ...step, then }
        : { ...step, then, else: withMessage(step.else, id, message) };
    }
    if (step.type !== 'send' || step.id !== id) return step;
    const { channels } = step;
    return { id, type: 'send', ...message, ...(channels === undefined ? {} : { channels }) };
  });
}

/** Only the message changes: a live journey follows its stored program. */
function corrected({ operations }: Program, id: string, message: StepMessage): Program {
  return {
    operations: operations.map((one) =>
      one.kind === 'send' && one.step === id ? { ...one, message } : one,
    ),
  };
}

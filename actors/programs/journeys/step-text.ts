// What a journey's send step says, for the note of its correction. Texts are cut: a body may be a
// whole email, and a note is kept for 400 days.

import { eachStep, type Step } from './steps.ts';

const charsMax = 500;

/** The saved message that the step names, or its own title and body. Empty without the step. */
export function stepText(steps: readonly Step[] | undefined, id: string): Record<string, string> {
  const text: Record<string, string> = {};
  eachStep(steps ?? [], (step) => {
    if (step.id !== id || step.type !== 'send') return;
    if ('messageId' in step) text['messageId'] = step.messageId;
    else {
      const { title, body } = step.message;
      if (title !== undefined) text['title'] = cut(title);
      if (body !== undefined) text['body'] = cut(body);
    }
  });
  return text;
}

/** Not within a surrogate pair. */
function cut(text: string): string {
  const some = [...text.slice(0, 2 * charsMax + 1)];
  return some.length <= charsMax ? text : `${some.slice(0, charsMax).join('')}…`;
}

// Whether the steps of a call name templates, before anybody judged them.

import { isObject } from '../../../actors/is-object.ts';

/** At any depth; `steps` as they were sent. */
export function namesTemplate(steps: unknown): boolean {
  if (!Array.isArray(steps)) return false;
  return steps.some(
    (step) =>
      isObject(step) &&
      (isNamed(step) ||
        (isObject(step['message']) && isNamed(step['message'])) ||
        namesTemplate(step['then']) ||
        namesTemplate(step['else'])),
  );
}

function isNamed({ templateName, templateId }: Readonly<Record<string, unknown>>): boolean {
  return templateName != null || templateId != null;
}

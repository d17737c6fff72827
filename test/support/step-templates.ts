// The templates of an app, for tests that judge steps without one.
import type { OverTemplate } from '../../actors/programs/journeys/step-message.ts';

/** The app has none: a step's own content stays, and every name is unknown. */
export const noTemplates: OverTemplate = ({ templateName, templateId }, own) => {
  const field = templateName === undefined ? 'templateId' : 'templateName';
  const named = templateName ?? templateId;
  return named === undefined
    ? { content: own }
    : { fault: { code: 'not_found', field, message: `${field}: template not found: ${named}` } };
};

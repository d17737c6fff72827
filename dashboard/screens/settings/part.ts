// What each part of the settings gets.

import type { Form } from './form.ts';

export interface PartProps {
  readonly draft: Form;
  readonly change: (part: Partial<Form>) => void;
  /** The server's words about a field. */
  readonly errorOf: (name: keyof Form) => string | undefined;
}

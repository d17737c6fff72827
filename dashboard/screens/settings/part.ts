// What each part of the settings gets.

import type { Draft } from '../../ui/draft.ts';
import type { Form } from './form.ts';

export interface PartProps {
  readonly draft: Draft<Form>;
  /** The server's words about a field. */
  readonly errorOf: (name: keyof Form) => string | undefined;
}

// Messages and entries of sign-up forms.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { FormField, FormRecord } from './form.ts';

/** What a call sets; `null` removes. */
export interface FormInput {
  readonly name?: string;
  readonly fields?: readonly FormField[];
  readonly topics?: readonly string[];
  readonly consent?: string;
  readonly redirectUrl?: string | null;
  readonly archived?: boolean;
}

/** What a page needs of a form. */
export interface FormPage {
  readonly form: FormRecord;
  /** Names of its topics. */
  readonly topics: readonly string[];
}

export interface FormsProtocol {
  /** Refused with `duplicate` if the key is in use. */
  'form.create': {
    body: Caller & {
      key: string;
      input: FormInput & { name: string; consent: string };
    };
    reply: FormRecord;
  };
  'form.read': { body: Caller & { form: string }; reply: FormRecord };
  'form.update': {
    body: Caller & { form: string; key?: string; input: FormInput };
    reply: FormRecord;
  };
  'form.delete': { body: Caller & { form: string }; reply: null };
  /** In the order of creation. */
  'form.list': { body: Caller; reply: readonly FormRecord[] };
  /** By its id; archived ones are not found. */
  'form.page': { body: Caller & { id: string }; reply: FormPage };
}

export type FormsEntry =
  | (Entry & { readonly kind: 'form.saved'; readonly form: FormRecord })
  | (Entry & { readonly kind: 'form.deleted'; readonly key: string });

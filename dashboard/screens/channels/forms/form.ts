// What a credential's form asks for. The members come from the types of the API: a credential with
// a new member does not compile until its form asks for it.

import type { Credential, CredentialUpload } from '../../../api/generated.ts';

export type CredentialName = Credential['channel'];

export interface FormField {
  readonly label: string;
  /** Where its value is found. */
  readonly hint: string;
  /** `key-file`: a JSON file. `pem`: a text file. Both may be pasted as well. */
  readonly kind: 'text' | 'secret' | 'pem' | 'key-file' | 'choice';
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  readonly placeholder?: string;
  readonly isOptional?: boolean;
}

export interface CredentialForm {
  readonly name: CredentialName;
  /** Where its values come from: "Firebase console". */
  readonly site: string;
  readonly siteUrl: string;
  readonly steps: readonly string[];
  readonly fields: Readonly<Record<string, FormField>>;
  /** The file of this field is the whole body. */
  readonly wholeBody?: string;
}

/** The member of the union of uploads that has `Name`. */
type UploadWith<Name extends string> = Extract<CredentialUpload, { readonly [K in Name]: unknown }>;

type Asked<Upload> = {
  readonly [K in keyof Upload]-?: undefined extends Upload[K]
    ? FormField & { readonly isOptional: true }
    : FormField;
};

/** The fields of the upload that has a member `Name`; all of them, no other. */
export type FieldsWith<Name extends string> = Asked<UploadWith<Name>>;

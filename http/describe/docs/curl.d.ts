// The types of curl.js, which the page loads as it is.

export interface CurlInput {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly value?: string;
  readonly example?: string;
}

export function curlOf(call: {
  readonly origin: string;
  readonly method: string;
  readonly path: string;
  readonly access: string;
  readonly inputs: readonly CurlInput[];
  readonly body: string | undefined;
  /** The name of a file that is the body. */
  readonly file: string | undefined;
  readonly examples: { readonly app: string; readonly message: string };
}): string;

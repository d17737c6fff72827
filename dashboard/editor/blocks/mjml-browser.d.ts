// The part of mjml-browser that is used here; the package has no types of its own.

declare module 'mjml-browser' {
  interface Made {
    readonly html: string;
    readonly errors: readonly { readonly message: string }[];
  }
  export default function mjml2html(
    source: string,
    options: {
      readonly validationLevel: 'soft';
      readonly keepComments: boolean;
      readonly fonts: Readonly<Record<string, string>>;
    },
  ): Made | Promise<Made>;
}

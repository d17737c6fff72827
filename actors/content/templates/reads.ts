// What other areas read of message templates.

export interface TemplatesReads {
  /** The id behind each handle. */
  readonly templates: ReadonlyMap<string, string>;
}

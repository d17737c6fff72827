// How a call names a message template.

/** Which template to copy: by its handle or by its id, never both. */
export interface TemplateRef {
  readonly templateName?: string;
  readonly templateId?: string;
}

// Bounds of what one email carries besides its text.

export const mailLimits = {
  /** Files of an email, and their bytes together before encoding. */
  attachmentsMax: 10,
  attachmentBytesMax: 10 * 1_048_576,
  /** A name, as UTF-8. */
  filenameBytesMax: 200,
  /** Addresses of cc and bcc together. */
  copiesMax: 10,
  headersMax: 10,
  headerNameCharsMax: 64,
  headerValueCharsMax: 500,
} as const;

// Codes of the API as words: `provider_rejected` reads "provider rejected". Sentences come from the
// API itself.

export function reasonWords(code: string): string {
  const text = code.replaceAll('_', ' ');
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

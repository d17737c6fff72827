// Sentences of the API's description, where backticks stand around names.

export function Ticked({ text }: { readonly text: string }) {
  return text.split('`').map((part, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence never move
    at % 2 === 1 ? <code key={at}>{part}</code> : part,
  );
}

// What a made-up person has for a variable that nobody in the app has a value for yet: a preview
// with an order number looks like the message, and a template's parameter must not be empty.

const samples: readonly (readonly [name: RegExp, value: string])[] = [
  [/(^|_)(code|otp|pin|password)$/, '482913'],
  [/(^|_)(ur[il]|link)$/, 'https://example.com/'],
  [/(^|_)(price|amount|total|sum)$/, '29.90'],
  [/(^|_)(date|day)$/, '2 June'],
  [/(^|_)(time|hour)$/, '14:30'],
  [/(^|_)(count|quantity|points)$/, '3'],
  [/(^|_)(id|number|no|order|ticket|reference)$/, '1042'],
  [/(^|_)(product|item|article|plan)$/, 'Blue jacket'],
];

/** `undefined` for a name that says nothing about its values. */
export function sampleValue(name: string): string | undefined {
  const plain = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
  return samples.find(([pattern]) => pattern.test(plain))?.[1];
}

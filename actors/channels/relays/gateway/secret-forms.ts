// A gateway's secrets in the forms in which it may repeat them: as they are, and as JSON, an
// address or a login has them. Pure.

/** By name, the longest forms first; short ones would hide harmless words. */
export function secretForms(
  credentials: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>>,
): readonly (readonly [form: string, name: string])[] {
  const forms = Object.entries(credentials).flatMap(([name, secret]) =>
    [
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd')),
      new URLSearchParams({ s: secret }).toString().slice(2),
      Buffer.from(secret).toString('base64'),
    ].map((form) => [form, name] as const),
  );
  // A login is encoded as a whole.
  const [, login = ''] = (headers['authorization'] ?? '').split(' ');
  return [...forms, [login, 'login'] as const]
    .filter(([form]) => form.length >= 4)
    .sort(([one], [other]) => other.length - one.length);
}

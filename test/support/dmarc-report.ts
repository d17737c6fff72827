// Writes an aggregate report as receivers do, and mails with one.

interface ReportedRow {
  readonly ip: string;
  readonly count: number;
  readonly dkim?: 'pass' | 'fail';
  readonly spf?: 'pass' | 'fail';
  readonly disposition?: string;
  readonly from?: string;
}

interface Reported {
  readonly org?: string;
  readonly id?: string;
  readonly beginMs: number;
  readonly domain?: string;
  readonly rows: readonly ReportedRow[];
}

export function reportXml({ org, id, beginMs, domain = 'acme.example', rows }: Reported): string {
  const begin = Math.floor(beginMs / 1_000);
  const records = rows.map(
    ({ ip, count, dkim = 'pass', spf = 'pass', disposition = 'none', from = domain }) => `
  <record>
    <row>
      <source_ip>${ip}</source_ip>
      <count>${count}</count>
      <policy_evaluated>
        <disposition>${disposition}</disposition>
        <dkim>${dkim}</dkim>
        <spf>${spf}</spf>
      </policy_evaluated>
    </row>
    <identifiers><header_from>${from}</header_from></identifiers>
    <auth_results>
      <dkim><domain>other.example</domain><result>fail</result></dkim>
      <dkim><domain>${domain}</domain><result>${dkim}</result><selector>s1</selector></dkim>
      <spf><domain>bounces.engage.example</domain><result>${spf}</result></spf>
    </auth_results>
  </record>`,
  );
  return `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <report_metadata>
    <org_name>${org ?? 'google.com'}</org_name>
    <email>noreply-dmarc-support@google.com</email>
    <report_id>${id ?? '1234567890'}</report_id>
    <date_range><begin>${begin}</begin><end>${begin + 86_399}</end></date_range>
  </report_metadata>
  <policy_published>
    <domain>${domain}</domain><adkim>r</adkim><aspf>r</aspf><p>none</p><pct>100</pct>
  </policy_published>${records.join('')}
</feedback>
`;
}

/** A mail that has nothing but the report, or has it attached. */
export function reportMail(
  content: Buffer,
  { type, name, attached = true }: { type: string; name: string; attached?: boolean },
): Buffer {
  const base64 = content.toString('base64').replace(/.{76}/g, '$&\r\n');
  const part = [
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
  ].join('\r\n');
  const head = 'From: noreply-dmarc-support@google.com\r\nSubject: Report domain: acme.example\r\n';
  if (!attached) return Buffer.from(`${head}MIME-Version: 1.0\r\n${part}\r\n\r\n${base64}\r\n`);
  return Buffer.from(
    `${head}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b1"\r\n\r\n` +
      '--b1\r\nContent-Type: text/plain\r\n\r\nThis is an aggregate report.\r\n' +
      `--b1\r\n${part}\r\n\r\n${base64}\r\n--b1--\r\n`,
  );
}

/** A ZIP archive with one file; `claims`: the length that it says to have. */
export function zipOf(name: string, packed: Buffer, claims: number, method = 8): Buffer {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  local.writeUInt16LE(8, 6); // lengths follow the file
  local.writeUInt16LE(method, 8);
  local.writeUInt16LE(name.length, 26);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(method, 10);
  central.writeUInt32LE(packed.length, 20);
  central.writeUInt32LE(claims, 24);
  central.writeUInt16LE(name.length, 28);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + name.length, 12);
  end.writeUInt32LE(30 + name.length + packed.length, 16);
  return Buffer.concat([local, Buffer.from(name), packed, central, Buffer.from(name), end]);
}

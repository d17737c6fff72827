// The calls that send an event, as text.

export const snippetKinds = ['curl', 'javascript', 'cdp'] as const;
export type SnippetKind = (typeof snippetKinds)[number];

export function snippetOf(
  kind: SnippetKind,
  {
    origin,
    appId,
    name = 'order_placed',
  }: { readonly origin: string; readonly appId: string; readonly name?: string | undefined },
): string {
  const body = JSON.stringify({
    appId,
    events: [{ name, externalUserId: 'customer-42', props: { total: 42 } }],
  });
  switch (kind) {
    case 'curl':
      return [
        `curl ${origin}/e -H 'content-type: application/json' \\`,
        `  -d '${shellQuoted(body)}'`,
      ].join('\n');
    case 'javascript':
      return [
        `await fetch('${origin}/e', {`,
        "  method: 'POST',",
        "  headers: { 'content-type': 'application/json' },",
        '  body: JSON.stringify({',
        `    appId: '${appId}',`,
        `    events: [{ name: ${JSON.stringify(name)}, externalUserId: 'customer-42', props: { total: 42 } }],`,
        '  }),',
        '});',
      ].join('\n');
    case 'cdp': {
      const track = {
        type: 'track',
        userId: 'customer-42',
        event: name,
        properties: { total: 42 },
      };
      return [
        `curl ${origin}/i/cdp/${appId} -u "$ENGAGE_WRITE_KEY:" -H 'content-type: application/json' \\`,
        `  -d '${shellQuoted(JSON.stringify(track))}'`,
      ].join('\n');
    }
  }
}

/** Within single quotes. */
function shellQuoted(text: string): string {
  return text.replaceAll("'", "'\\''");
}

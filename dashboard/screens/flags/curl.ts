// The same as a command, and what an app asks.

export function createCurl(appId: string): string {
  return [
    `curl -X POST ${location.origin}/v1/apps/${appId}/flags \\`,
    '  -H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json" \\',
    `  -d '{"key": "new-checkout", "enabled": true, "rolloutPercent": 25}'`,
  ].join('\n');
}

export function readCurl(): string {
  return `curl "${location.origin}/v1/sdk/flags" -H "authorization: Bearer $CLIENT_TOKEN"`;
}

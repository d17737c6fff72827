// What an app asks to show its messages.

export function feedCurl(): string {
  return `curl "${location.origin}/v1/sdk/feed" -H "authorization: Bearer $CLIENT_TOKEN"`;
}

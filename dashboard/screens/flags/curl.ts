// What an app asks.

export function readCurl(): string {
  return `curl "${location.origin}/v1/sdk/flags" -H "authorization: Bearer $CLIENT_TOKEN"`;
}

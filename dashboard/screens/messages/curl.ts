// The same as a command: what a script calls to do what the screen does.

const line = (path: string, body: string): string =>
  [
    `curl -X POST ${location.origin}${path} \\`,
    '  -H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json" \\',
    `  -d '${body}'`,
  ].join('\n');

export function createCurl(appId: string): string {
  const body =
    '{"name": "Welcome", "title": "Welcome", "body": "Good to have you, {{ first_name }}"}';
  return line(`/v1/apps/${appId}/messages`, body);
}

export function createTemplateCurl(appId: string): string {
  const body = '{"name": "sign-in-code", "body": "{{ code }} is your code"}';
  return line(`/v1/apps/${appId}/message-templates`, body);
}

// One call as a shell command that runs as copied, with the variables of `demo.env`. The page is
// made with it on the server, and made again by its script when someone types.

/**
 * `inputs`: `{ name, place, required, value, example }`, where an empty `value` takes the example
 * of a path or of a required query parameter. `examples` are ids that a body shows: `app` stands
 * for the reader's own app, and `message` for one that a command before the call creates.
 */
export function curlOf({ origin, method, path, access, inputs, body, file, examples }) {
  const query = new URLSearchParams();
  const headers = [];
  let target = path;
  for (const { name, place, required, value, example = '' } of inputs) {
    // Most keys are of an org: they name the app of a report.
    const used = value || (required || name === 'appId' ? example : '');
    if (used === '') continue;
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(used));
    else if (place === 'query') query.set(name, used);
    else headers.push(`-H ${singleQuoted(`${name}: ${used}`, examples.app)}`);
  }
  const url = `${origin}${target}${query.size === 0 ? '' : `?${query}`}`;
  const needsMessage = access === 'key' && body?.includes(examples.message) === true;
  const call = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${doubleQuoted(url, examples.app)}`,
    ...(keys[access] ?? []),
    ...headers,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ...(file === undefined ? [] : [`--data-binary @${file}`]),
    ...(body === undefined ? [] : [`-d ${bodyOf(body, examples, needsMessage)}`]),
  ].join(' \\\n  ');
  return needsMessage ? `${messageMade(origin, examples.app)}\n${call}` : call;
}

function bodyOf(body, { app, message }, needsMessage) {
  const text = singleQuoted(body, app);
  return needsMessage ? text.replaceAll(message, `'"$message"'`) : text;
}

/** Creates a saved message and keeps its id, as a person does first. */
function messageMade(origin, exampleApp) {
  const url = doubleQuoted(`${origin}/v1/apps/${exampleApp}/messages`, exampleApp);
  const body = '{"title": "Spring sale", "body": "Come and have a look."}';
  return [
    `message=$(curl -sS -X POST ${url}`,
    ...keys.key,
    "-H 'Content-Type: application/json'",
    `-d '${body}' | sed 's/.*"messageId":"\\([^"]*\\)".*/\\1/')`,
  ].join(' \\\n  ');
}

/** A key itself is neither shown nor copied. */
const keys = {
  key: ['-H "Authorization: Bearer $ENGAGE_KEY"'],
  bootstrap: ['-H "Authorization: Bearer $(cat data/bootstrap-token)"'],
  'write-key': ['-u "$ENGAGE_WRITE_KEY:"'],
};

function doubleQuoted(text, exampleApp) {
  return `"${text.replace(/[\\"$`]/g, '\\$&').replaceAll(exampleApp, '$ENGAGE_APP')}"`;
}

function singleQuoted(text, exampleApp) {
  return `'${text.replaceAll("'", "'\\''").replaceAll(exampleApp, `'"$ENGAGE_APP"'`)}'`;
}

// One call as a shell command that runs as copied, with the variables of `demo.env`. The page is
// made with it on the server, and made again by its script when someone types.

/**
 * `inputs`: `{ name, place, required, value, example }`, where an empty `value` takes the example
 * of a path or of a required query parameter. `exampleApp` stands for the reader's own app.
 */
export function curlOf({ origin, method, path, access, inputs, body, file, exampleApp }) {
  const query = new URLSearchParams();
  const headers = [];
  let target = path;
  for (const { name, place, required, value, example = '' } of inputs) {
    // Most keys are of an org: they name the app of a report.
    const used = value || (required || name === 'appId' ? example : '');
    if (used === '') continue;
    if (place === 'path') target = target.replace(`{${name}}`, encodeURIComponent(used));
    else if (place === 'query') query.set(name, used);
    else headers.push(`-H ${singleQuoted(`${name}: ${used}`, exampleApp)}`);
  }
  const url = `${origin}${target}${query.size === 0 ? '' : `?${query}`}`;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${doubleQuoted(url, exampleApp)}`,
    ...(keys[access] ?? []),
    ...headers,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'"]),
    ...(file === undefined ? [] : [`--data-binary @${file}`]),
    ...(body === undefined ? [] : [`-d ${singleQuoted(body, exampleApp)}`]),
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

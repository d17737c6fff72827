// What the reference shows first: fields that do something before those that are refused, and
// commands that run in any app.

import t from 'tap';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { loadReferenceFiles } from '../../../http/describe/docs-page.ts';
import { describeApi } from '../../../http/describe/outside-routes.ts';
import { routes } from '../../../http/routes/index.ts';

const document = describeApi(routes, 'http://127.0.0.1:8400');
const page = loadReferenceFiles(document).find(({ path }) => path === '/docs')?.text ?? '';

/** The part of the page about one operation. */
function sectionOf(summary: string): string {
  const id = summary.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const start = page.indexOf(`<section class="op" id="${id}"`);
  t.ok(start > 0, summary);
  return page.slice(start, page.indexOf('</section>', start));
}

function curlOf(summary: string): string {
  const [, html = ''] =
    /<pre class="curl"[^>]*><code>([\s\S]*?)<\/code>/.exec(sectionOf(summary)) ?? [];
  return html
    .replace(/<\/?span>/g, '')
    .replace(/&#(\d+);/g, (_, point) => String.fromCharCode(point))
    .trim();
}

t.test('fields that are refused come after those that do something', async (t) => {
  const campaign = sectionOf('Create a campaign');
  const [, fields = ''] = /<h4>Body<\/h4>([\s\S]*?)<h4>/.exec(campaign) ?? [];
  const rows = fields.split('<li><div class="field">').slice(1);
  t.match(rows[0], '>name<');
  t.match(rows[1], '>messageId<');
  const refused = rows.filter((row) => /Not accepted/.test(row));
  t.equal(refused.length, 4, 'of the campaign and of its variants');
  t.match(rows.at(-1), /Not accepted/);
  t.match(rows.at(-2), /Not accepted/);
});

t.test('a command that needs a saved message creates it first', async (t) => {
  for (const summary of ['Create a campaign', 'Create an in-app message']) {
    const [first = '', ...rest] = curlOf(summary).split(/^(?=curl )/m);
    t.match(first, /^message=\$\(curl -sS -X POST "[^"]*\/\$ENGAGE_APP\/messages"/, summary);
    t.equal(rest.length, 1, summary);
    t.match(rest[0], `"messageId": "'"$message"'"`, summary);
  }
});

t.test('no command names what only the example has, if it creates or simulates', async (t) => {
  const { app, ...ids } = exampleIds;
  t.match(page, `data-example-app="${app}" data-example-message="${ids.message}"`);
  for (const summary of [
    'Create a campaign',
    'Create a journey',
    'Simulate an unsaved journey',
    'Create an in-app message',
    'Create a segment',
    'Create a message',
  ]) {
    const curl = curlOf(summary);
    t.match(curl, /^curl -X POST /m, summary);
    for (const [what, id] of Object.entries(ids)) t.notMatch(curl, id, `${summary}: ${what}`);
  }
});

t.test('the first example of the settings changes nothing that a next message meets', async (t) => {
  const curl = curlOf("Update an app's settings");
  t.notMatch(curl, /quietHours|caps|fromAddress|fromName/);
  t.match(curl, /replyTo/);
});

t.test('each example id of a path is from a list, where there is one', async (t) => {
  const [, text = ''] = / data-lists="([^"]+)"/.exec(page) ?? [];
  const lists = JSON.parse(
    text.replace(/&#(\d+);/g, (_, point) => String.fromCharCode(point)),
  ) as Record<string, readonly [string, string]>;
  const { app, campaign, client, flag, segment, send, template } = exampleIds;
  const ofApp = '/v1/apps/{appId}';
  t.same(lists[app], ['/v1/apps?limit=1', 'id']);
  t.same(lists[campaign], [`${ofApp}/campaigns?limit=1`, 'id']);
  t.same(lists[segment], [`${ofApp}/segments?limit=1`, 'id']);
  t.same(lists[send], [`${ofApp}/notifications?limit=1`, 'id']);
  t.same(lists[template], [`${ofApp}/message-templates?limit=1`, 'id'], 'not by its name');
  t.same(lists[client], ['/v1/org/clients?limit=1', 'id']);
  t.same(lists['new-checkout'], [`${ofApp}/flags?limit=1`, 'key']);
  t.same(lists[flag], [`${ofApp}/flags?limit=1`, 'id']);
  t.notOk(exampleIds.org in lists, 'only the operator lists orgs');
  const known = new Set(Object.values(lists).map(([target]) => target.replace('?limit=1', '')));
  for (const path of known) t.ok(document.paths[path]?.['get'], path);
});

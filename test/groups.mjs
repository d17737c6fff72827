// What `npm test` gives to tap: the compiled test files, most of them in groups that share a
// process (together.ts). Files are found, not listed, so none is forgotten. ENGAGE_TEST_APART=1
// runs each in a process of its own, as `npx tap run test/…` does.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Whole servers, killed and started, or long: a process each, in this order. */
const alone = [
  'test/dashboard/pictures.test.ts',
  'test/actors/integrations/webhooks/six-attempts.test.ts',
  'test/e2e/',
  'test/simulation/',
  'test/engine/cluster/worlds.test.ts',
  'test/cluster/rig.test.ts',
  'test/cluster/replicated-volume.test.ts',
  'test/cluster/forwarding.test.ts',
  'test/cluster/shards.test.ts',
];
/**
 * Kill loops, threads that are started again, whole scans of long files, walks over all screens,
 * routes and dialogs, attackers that make one wait, and those that compile the sources anew; in the
 * browser, what is not one of the flows of a day. `.ci/run` runs them, or ENGAGE_TEST_LONG=1.
 */
export const longForm = [
  'test/actors/channels/fourteenth.test.ts',
  'test/actors/runtime/areas.test.ts',
  'test/actors/runtime/check/partition.test.ts',
  'test/actors/runtime/host.test.ts',
  'test/actors/runtime/tasks.test.ts',
  'test/actors/sending/callbacks/any-order-chat.test.ts',
  'test/cli/backup.test.ts',
  'test/cli/content/content.test.ts',
  'test/cluster/forwarding.test.ts',
  'test/cluster/postgres-failures.test.ts',
  'test/cluster/replicated-volume.test.ts',
  'test/cluster/rig.test.ts',
  'test/contract/described-answers.test.ts',
  'test/contract/export.test.ts',
  'test/contract/live.test.ts',
  'test/dashboard/activity.test.ts',
  'test/dashboard/early.test.ts',
  'test/dashboard/flows-by-finger.test.ts',
  'test/dashboard/focus.test.ts',
  'test/dashboard/font.test.ts',
  'test/dashboard/hostile-content.test.ts',
  'test/dashboard/import-long-files.test.ts',
  'test/dashboard/import-screen.test.ts',
  'test/dashboard/inbox-page.test.ts',
  'test/dashboard/kept-drafts.test.ts',
  'test/dashboard/last-admin-key.test.ts',
  'test/dashboard/late-styles.test.ts',
  'test/dashboard/live-screens.test.ts',
  'test/dashboard/live.test.ts',
  'test/dashboard/long-list.test.ts',
  'test/dashboard/mail-by-keyboard.test.ts',
  'test/dashboard/names.test.ts',
  'test/dashboard/new-editors.test.ts',
  'test/dashboard/newcomer.test.ts',
  'test/dashboard/pictures.test.ts',
  'test/dashboard/planted-answers.test.ts',
  'test/dashboard/preset-channels.test.ts',
  'test/dashboard/reference-page.test.ts',
  'test/dashboard/refused-by-finger.test.ts',
  'test/dashboard/same-looks.test.ts',
  'test/dashboard/screens-empty.test.ts',
  'test/dashboard/screens-failing.test.ts',
  'test/dashboard/screens-huge.test.ts',
  'test/dashboard/screens-on-a-desk.test.ts',
  'test/dashboard/screens-on-a-phone.test.ts',
  'test/dashboard/screens-refused.test.ts',
  'test/dashboard/screens-waiting.test.ts',
  'test/dashboard/sent-messages.test.ts',
  'test/dashboard/sessions.test.ts',
  'test/dashboard/slow-frames.test.ts',
  'test/dashboard/starter-looks.test.ts',
  'test/dashboard/states.test.ts',
  'test/dashboard/undo-sends.test.ts',
  'test/e2e/after-answers.test.ts',
  'test/e2e/altered-binary.test.ts',
  'test/e2e/backup.test.ts',
  'test/e2e/billing-kills.test.ts',
  'test/e2e/campaign-walk.test.ts',
  'test/e2e/closed-output.test.ts',
  'test/e2e/damaged-checkpoints.test.ts',
  'test/e2e/docs-curl.test.ts',
  'test/e2e/erasure-scan.test.ts',
  'test/e2e/full-disk.test.ts',
  'test/e2e/import-endpoints.test.ts',
  'test/e2e/isolation.test.ts',
  'test/e2e/kill-moves.test.ts',
  'test/e2e/kill-nine.test.ts',
  'test/e2e/platform-pages.test.ts',
  'test/e2e/rotated-credential.test.ts',
  'test/e2e/sdk-attacks.test.ts',
  'test/e2e/single-executable.test.ts',
  'test/e2e/skill.test.ts',
  'test/e2e/undo-after-kill.test.ts',
  'test/e2e/webhook-canaries.test.ts',
  'test/e2e/webhooks.test.ts',
  'test/sdk/conformance/java.test.ts',
  'test/sdk/node/examples.test.ts',
  'test/sdk/node/types.test.ts',
  'test/sdk/other-clients.test.ts',
  'test/sdk/web/push.test.ts',
  'test/simulation/clock-worlds.test.ts',
  'test/simulation/invariants.test.ts',
];
const filesPerGroup = 48;
/** In Chromium a file takes ten seconds alone, half a minute beside others on a slow machine. */
const browserFilesPerGroup = 3;
const folder = 'dist/test/together';

/** Paths of what is to be run. */
export function testPaths() {
  const files = filesBelow('test')
    .filter((path) => path.endsWith('.test.ts'))
    .filter((path) => process.env.ENGAGE_TEST_LONG === '1' || !longForm.includes(path));
  const begins = process.env.ENGAGE_TEST_APART === '1' ? ['test/'] : alone;
  const apart = begins.flatMap((begin) => files.filter((path) => path.startsWith(begin)));
  const together = files.filter((path) => !apart.includes(path));
  mkdirSync(folder, { recursive: true });
  const written = ([name, members]) => {
    const path = `${folder}/${name}.js`;
    const list = JSON.stringify(members, undefined, 2);
    writeFileSync(
      path,
      `import { together } from '../support/together.js';\n\nawait together(${list});\n`,
    );
    return path;
  };
  const browsers = browserGroups(together.filter(opensBrowser)).map(written);
  const servers = apart.map(compiled);
  // Browsers work while servers wait, and what neither waits nor is long fills the end.
  const both = servers.flatMap((path, at) => [...browsers.slice(at, at + 1), path]);
  return [
    ...both,
    ...browsers.slice(servers.length),
    ...groupsOf(together.filter((path) => !opensBrowser(path))).map(written),
  ];
}

/** Whether it runs in Chromium. */
function opensBrowser(path) {
  return /support\/(push-)?browser\.ts'/.test(readFileSync(path, 'utf8'));
}

/** Where a test's source is compiled to. */
export function compiled(source) {
  return join('dist', source.replace(/\.ts$/, '.js'));
}

/** Groups by the folder below `test`, the larger ones in parts of even size. */
function groupsOf(files) {
  const areas = new Map();
  for (const path of files) areas.set(areaOf(path), [...(areas.get(areaOf(path)) ?? []), path]);
  return [...areas].flatMap(([area, members]) => {
    const parts = Math.ceil(members.length / filesPerGroup);
    const size = Math.ceil(members.length / parts);
    return Array.from({ length: parts }, (_, part) => [
      parts === 1 ? area : `${area}-${part + 1}`,
      members.slice(part * size, (part + 1) * size),
    ]);
  });
}

/** Dealt out one by one: files whose names begin alike are alike long. */
function browserGroups(files) {
  const count = Math.ceil(files.length / browserFilesPerGroup);
  return Array.from({ length: count }, (_, group) => [
    `browser-${group + 1}`,
    files.filter((_file, at) => at % count === group),
  ]);
}

function areaOf(path) {
  const [, area, ...rest] = path.split('/');
  return rest.length === 0 ? 'whole' : area;
}

function filesBelow(path) {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const below = posix.join(path, entry.name);
    return entry.isDirectory() ? filesBelow(below) : [below];
  });
}

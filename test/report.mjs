// Tells a run of tap as people read it: a line for each file or group when it is done, what failed
// in it, and a sum. Tap's own reporter for terminals takes more processor time than many a test.

import { createInterface } from 'node:readline';

const shownLinesMax = 400;

/** Reads tap's protocol from `input` until it ends, and writes lines to `output`. */
export async function tellReport(input, output) {
  const startedMs = Date.now();
  let lines = [];
  let planned = '?';
  let done = 0;
  let failedFiles = 0;
  const sum = { passed: 0, failed: 0 };
  const skipped = new Set();
  for await (const line of createInterface({ input })) {
    const plan = /^# (\d+) files$/.exec(line);
    const file = /^(ok|not ok) \d+ - (\S+)(?: # time=([\d.]+)ms)?/.exec(line);
    if (plan) planned = plan[1];
    else if (file) {
      done++;
      if (file[1] === 'not ok') {
        failedFiles++;
        output.write(failuresOf(lines));
      }
      const seconds = (Number(file[3] ?? 0) / 1000).toFixed(1).padStart(6);
      const mark = file[1] === 'ok' ? ' ' : '✗';
      output.write(
        `${mark} ${String(done).padStart(3)} of ${planned} ${seconds} s  ${named(file[2])}\n`,
      );
      lines = [];
    } else if (line.startsWith(' ')) {
      lines.push(line);
      count(line, sum, skipped);
    }
  }
  for (const why of skipped) output.write(`skipped: ${why}\n`);
  const minutes = ((Date.now() - startedMs) / 60_000).toFixed(1);
  // A test that threw is no assertion that failed, so files are counted too.
  const files = `${failedFiles} of ${done} files failed`;
  output.write(`\n${sum.passed} passed, ${sum.failed} failed; ${files}, in ${minutes} minutes\n`);
}

/** Leaves alone: a line with a time sums up those before it. */
function count(line, sum, skipped) {
  const leaf = /^ +(ok|not ok) \d+(?: - .*)?$/.exec(line);
  if (!leaf || / # time=/.test(line)) return;
  const skip = / # SKIP ?(.*)$/.exec(line);
  if (skip) skipped.add(skip[1]);
  else sum[leaf[1] === 'ok' ? 'passed' : 'failed']++;
}

/** Each assertion that failed with its diagnosis, and the names of the tests around it. */
function failuresOf(lines) {
  const shown = [];
  let depth = -1;
  let isTold = false;
  for (const line of lines) {
    const indent = line.search(/\S/);
    // A test that threw has no assertion that says so.
    if (/^ +not ok .* # time=/.test(line) && isTold) {
      shown.push(line);
      depth = -1;
    } else if (/^ +not ok /.test(line)) depth = indent;
    else if (/^ +(ok \d|# Subtest|\d+\.\.\d)/.test(line) || (indent >= 0 && indent < depth))
      depth = -1;
    if (depth >= 0) shown.push(line);
    if (indent === depth && depth >= 0) isTold = true;
    else if (/^ {4}(ok \d|# Subtest)/.test(line)) isTold = false;
  }
  const more = shown.length - shownLinesMax;
  const rest = more > 0 ? `  … ${more} more lines\n` : '';
  return `${shown.slice(0, shownLinesMax).join('\n')}\n${rest}`;
}

/** `dist/test/together/actors-1.js` is `actors-1`, and `dist/test/e2e/a.test.js` its source. */
function named(path) {
  const group = /^dist\/test\/together\/(.*)\.js$/.exec(path);
  return group ? group[1] : path.replace(/^dist\/(.*)\.js$/, '$1.ts');
}

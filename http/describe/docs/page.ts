// The reference as one page, from the API description. It works without a script; the script adds
// search, curl requests, and calls with a pasted key.

import { exampleIds } from '../../call/schemas/example-ids.ts';
import type { OpenApiDocument } from '../openapi-types.ts';
import { firstLists } from './first-lists.ts';
import { escaped, type Html, inline, paragraphs, slug } from './html.ts';
import { anchorOf, methodPill, operationHtml, type Placed } from './operation.ts';

/** Style and script are separate files, so that the content policy can forbid inline ones. */
export function referencePage(document: OpenApiDocument): Html {
  const { info, tags } = document;
  const chapters = tags.map((tag) => ({ ...tag, operations: operationsOf(tag.name, document) }));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(info.title)} reference</title>
<link rel="stylesheet" href="/docs/reference.css">
<script type="module" src="/docs/reference.js"></script>
</head>
<body>
<header class="top">
<a class="brand" href="#top">Engage <span>API reference</span></a>
<label class="search"><span class="hidden">Search the reference</span><input type="search" id="search" placeholder="Search" autocomplete="off"><kbd>/</kbd></label>
<button type="button" class="quiet menu" aria-expanded="false" aria-controls="contents">Contents</button>
</header>
<nav id="contents" aria-label="Contents">
<a class="intro" href="#top">Introduction</a>
${chapters.map(contentsOf).join('\n')}
<a class="intro" href="/openapi.json">openapi.json</a>
</nav>
<main id="top" data-example-app="${exampleIds.app}" data-example-message="${exampleIds.message}" data-lists="${escaped(JSON.stringify(firstLists(document)))}">
<section class="lead">
<h1>${escaped(info.title)}</h1>
${paragraphs(info.description)}
<div class="card">
<div class="bar"><span>Run the commands of this page</span></div>
<pre tabindex="0"><code>. data/demo.env</code></pre>
<p class="note">${inline('Sets `ENGAGE_APP` and `ENGAGE_KEY`, which the commands use. The first `npm start` in sandbox mode writes the file.')}</p>
</div>
<form class="card access" autocomplete="off">
<div class="bar"><span>Try calls from this page</span></div>
<div class="inputs">
<label>API key, or the bootstrap token<input id="key" type="password" placeholder="ek_…" autocomplete="off" spellcheck="false"></label>
<label>App id<input id="app" placeholder="app_…" autocomplete="off" autocapitalize="off" spellcheck="false"></label>
</div>
<p class="note">Kept in this tab until it closes, and sent only to this server. Without a key, your sign-in to the dashboard counts. Forms fill in ids of your own.</p>
</form>
</section>
${chapters
  .map(
    ({ name, description, operations }) => `
<section class="chapter" aria-labelledby="${slug(name)}">
<h2 id="${slug(name)}">${escaped(name)}</h2>
${description === undefined ? '' : `<p class="about">${inline(description)}</p>`}
${operations.map((placed) => operationHtml(placed, document)).join('\n')}
</section>`,
  )
  .join('\n')}
<p class="nothing" hidden>Nothing matches. <button type="button" class="quiet clear">Show everything</button></p>
</main>
</body>
</html>
`;
}

interface Chapter {
  readonly name: string;
  readonly operations: readonly Placed[];
}

function contentsOf({ name, operations }: Chapter): Html {
  const links = operations.map(
    (placed) =>
      `<li><a href="#${anchorOf(placed)}">${escaped(placed.operation.summary)} ${methodPill(placed.method)}</a></li>`,
  );
  return `<div class="group"><a href="#${slug(name)}">${escaped(name)}</a><ul>${links.join('')}</ul></div>`;
}

function operationsOf(tag: string, { paths }: OpenApiDocument): Placed[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => ({ method, path, operation })),
  );
}

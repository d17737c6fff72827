// Finds everything that is wrong with files before anything is sent: by the schemas, by what they
// refer to, and by the routes of the server that judge content without storing it.

import { EngageError } from '../../sdk/node/src/engage.ts';
import { schemaProblems } from './check-schema.ts';
import type { ContentEnvironment } from './environments.ts';
import { contentKindOf, type FileProblem, fileOf } from './files.ts';
import { ContentNames, labelOf, refProblem, refsIn } from './names.ts';
import type { PushStep } from './plan.ts';
import type { ContentSchemas } from './schemas.ts';
import type { Content, Handle } from './thing.ts';

/** The problems that can be seen without a server. */
export function problemsOf(
  files: ReadonlyMap<Handle, Content>,
  schemas: ContentSchemas,
): readonly FileProblem[] {
  const names = contentNamesOf(files);
  const keys = new Map<string, Handle>();
  return [...files].flatMap(([handle, content]) => {
    const file = fileOf(handle);
    const kind = contentKindOf(handle);
    if (!schemas.knows(kind)) return [{ file, error: 'the server does not know this kind' }];
    const bySchema = schemaProblems(content, schemas.of(kind)).map((one) => ({ file, ...one }));
    const byRefs = refsIn(content).flatMap((reference) => {
      const meanings = names.meaningOf(reference.folder, reference.ref);
      const there = meanings.filter((one) => files.has(one));
      const error = refProblem(reference, there);
      return error === undefined ? [] : [{ file, field: reference.field, error }];
    });
    const label = labelOf(kind, content);
    const isUnique = kind.address === 'key' || kind.folder === 'templates';
    const key = `${kind.folder} ${label}`;
    const other = isUnique && label !== undefined ? keys.get(key) : undefined;
    keys.set(key, handle);
    const twice =
      other === undefined
        ? []
        : [{ file, field: kind.named[0] ?? '', error: `${fileOf(other)} has the same one` }];
    return [...bySchema, ...byRefs, ...twice];
  });
}

export function contentNamesOf(files: ReadonlyMap<Handle, Content>): ContentNames {
  const names = new ContentNames();
  for (const [handle, content] of files) names.add(contentKindOf(handle), handle, content);
  return names;
}

/** What the server says about content that is to be sent. It stores nothing for that. */
export async function judgedProblems(
  { engage }: ContentEnvironment,
  steps: readonly PushStep[],
): Promise<readonly FileProblem[]> {
  const problems: FileProblem[] = [];
  for (const { does, handle, kind, content } of steps) {
    if (does === 'delete') continue;
    const file = fileOf(handle);
    const filter = content['filter'];
    try {
      if (filter !== undefined && filter !== null)
        await engage.segments.preview({
          filter: filter as { readonly tag: string; readonly eq: string },
        });
      if (kind.folder !== 'messages' && kind.folder !== 'templates') continue;
      const { name: _name, ...message } = content;
      const { issues } = await engage.messages.previewDraft({ message, person: {} });
      for (const { field, error } of issues)
        problems.push({
          file,
          field: field.replace(/^message\./, ''),
          error: withoutField(error, field),
        });
    } catch (error) {
      const isVerdict = error instanceof EngageError && error.status === 400;
      if (!isVerdict) throw error;
      const { field = '', message } = error;
      problems.push({
        file,
        field: field.replace(/^message\./, ''),
        error: withoutField(message, field),
      });
    }
  }
  return problems;
}

/** The server begins a sentence with its field. */
function withoutField(error: string, field: string): string {
  return error.startsWith(`${field}: `) ? error.slice(field.length + 2) : error;
}

/** One line for each problem. */
export function problemText({ file, field, error }: FileProblem): string {
  return field === undefined || field === '' ? `${file}: ${error}` : `${file}: ${field}: ${error}`;
}

// Tools for segments.

import type { z } from 'zod';
import { explainSegment } from '../../routes/segments/explain-segment.ts';
import { previewSegment } from '../../routes/segments/preview-segment.ts';
import type { countSchema, segmentSchema } from '../../routes/segments/segment-shape.ts';
import { createSegment, listSegments } from '../../routes/segments/segments.ts';
import { counted } from '../quoted.ts';
import { routeTool, type Tool } from '../tool.ts';
import { type ListPage, pageText } from './page-text.ts';

type Segment = z.output<typeof segmentSchema>;
type Count = z.output<typeof countSchema>;

const buildSegment = routeTool<Count>({
  name: 'build_segment',
  title: 'Check a filter and count its audience',
  description:
    'Checks a filter and counts the people who match it now, exactly. Nothing is saved: `create_segment` saves a filter, and `create_campaign` accepts one. An invalid filter is refused with the place of the mistake. Returns the filter, the count, the number of people in the app, and up to `sample` of the matching people.',
  effect: 'reads',
  route: previewSegment,
  params: { appId: 'appId' },
  text: ({ count, total }) =>
    `The filter is valid, and ${count} of ${counted(total, 'person', 'people')} match it now. Nothing was saved.`,
  data: (found, { filter }) => ({ filter, ...found }),
});

const createSegmentTool = routeTool<Segment>({
  name: 'create_segment',
  title: 'Create a segment',
  description:
    'Saves a filter under a name. Its members are always the people who match now. `build_segment` counts them first.',
  effect: 'adds',
  route: createSegment,
  params: { appId: 'appId' },
  text: ({ id }) => `The segment ${id} was saved.`,
});

const listSegmentsTool = routeTool<ListPage>({
  name: 'list_segments',
  title: 'List segments',
  description: 'Lists the saved segments of an app with their filters, newest first.',
  effect: 'reads',
  route: listSegments,
  params: { appId: 'appId' },
  text: (page) => pageText(page, 'segment'),
});

interface Explanation {
  readonly matches: boolean;
  readonly conditions: readonly { readonly holds: boolean }[];
}

const explainSegmentTool = routeTool<Explanation>({
  name: 'explain_segment',
  title: 'Explain a segment for one person',
  description:
    'Explains why a person is in a segment or not: each condition of its filter, whether it holds, and the tag value or event that decided it.',
  effect: 'reads',
  route: explainSegment,
  params: { appId: 'appId', segmentId: 'id' },
  text: ({ matches, conditions }) => {
    const holding = conditions.filter(({ holds }) => holds).length;
    return `The person is ${matches ? '' : 'not '}in the segment: ${holding} of ${counted(conditions.length, 'condition')} hold now.`;
  },
});

export const segmentTools: readonly Tool[] = [
  buildSegment,
  createSegmentTool,
  listSegmentsTool,
  explainSegmentTool,
];

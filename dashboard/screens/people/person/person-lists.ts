// The lists of a person's page, as they are asked for.

const storyItems = 50; // as many as the stream brings
const segmentItems = 10;

export function storyOf(appId: string, id: string) {
  return { path: { appId, id }, query: { limit: storyItems } };
}

export function segmentsOf(appId: string, id: string) {
  return { path: { appId, id }, query: { limit: segmentItems } };
}

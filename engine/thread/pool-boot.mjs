// Loaded by every pool thread. From sources registers tsx first, like boot.mjs, then runs the
// task's module, which stays loaded.

let registered = false;

export default async function boot({ entry, task }) {
  if (entry.endsWith('.ts') && !registered) {
    const { register } = await import('tsx/esm/api');
    register();
    registered = true;
  }
  const { run } = await import(entry);
  return run(task);
}

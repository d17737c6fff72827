// The module that every pool thread loads. From sources it registers tsx first, as boot.mjs does;
// then it loads the module that the task names and runs its `run`. Loaded modules stay for the
// thread's life.

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

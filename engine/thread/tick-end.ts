// Work for the end of a tick of the event loop. What such work adds runs in the same pass, so a
// request that waits for the end of its tick and the frame that takes it away cost one wait.

type Task = () => void;

let tasks: Task[] = [];
let isScheduled = false;

/** Runs `task` once all input of this tick is read, in the order of the calls. */
export function atTickEnd(task: Task): void {
  tasks.push(task);
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(run);
}

function run(): void {
  let next = 0;
  try {
    while (next < tasks.length) tasks[next++]?.();
  } finally {
    // A task that throws ends the process or is caught far above: the others still run.
    tasks = next < tasks.length ? tasks.slice(next) : [];
    isScheduled = tasks.length > 0;
    if (isScheduled) setImmediate(run);
  }
}

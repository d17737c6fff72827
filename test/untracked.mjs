// Loaded before a test file. Tap follows each promise and timer, to say in which test something
// threw that nobody awaits. That takes a fifth of the processor time of tests that mostly await.
// Without it, such a throw ends the process with its stack, and its group fails.

import hooks from 'node:async_hooks';
import { syncBuiltinESMExports } from 'node:module';

hooks.createHook = () => ({ enable() {}, disable() {} });
syncBuiltinESMExports();

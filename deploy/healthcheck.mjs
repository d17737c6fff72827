// Ends with 0 if the server on this machine is up, for the HEALTHCHECK of a container.

const port = process.env.ENGAGE_METRICS_PORT || '8401';
try {
  const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {
    signal: AbortSignal.timeout(4_000),
  });
  process.exitCode = answer.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}

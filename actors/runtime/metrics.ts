// Every metric: name, help, labels. The registry and the documentation are made from this table.

import type { MetricRow } from '../../engine/observe/metrics.ts';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const metricRows: readonly MetricRow[] = [
  {
    name: 'engage_build_info',
    help: 'Version and runtime; always 1.',
    kind: 'gauge',
    labels: ['version', 'node', 'server'],
  },
  {
    name: 'engage_http_requests_total',
    help: 'Requests answered.',
    kind: 'counter',
    labels: ['route', 'method', 'status_class', 'lane'],
  },
  {
    name: 'engage_http_request_duration_seconds',
    help: 'Request duration, from the request head to the response.',
    kind: 'histogram',
    labels: ['lane'],
    buckets: seconds,
  },
  { name: 'engage_http_in_flight', help: 'Requests in progress.', kind: 'gauge' },
  {
    name: 'engage_ratelimit_refusals_total',
    help: 'Requests rejected with 429.',
    kind: 'counter',
    labels: ['lane'],
  },
  {
    name: 'engage_provider_callbacks_total',
    help: 'Provider callbacks by result: taken, repeated, or ignored because the send is unknown.',
    kind: 'counter',
    labels: ['channel', 'result'],
  },
  {
    name: 'engage_commits_total',
    help: 'Turns committed.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_commit_duration_seconds_sum',
    help: 'Total time spent in commits.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_commit_duration_seconds_max',
    help: 'Longest commit since start.',
    kind: 'gauge',
    labels: ['partition'],
  },
  {
    name: 'engage_log_entries_total',
    help: 'Entries written to the log.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_log_bytes_total',
    help: 'Bytes of log blocks written.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_messages_total',
    help: 'Messages handled by actors.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_messages_expired_total',
    help: 'Messages dropped because their deadline had passed.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_messages_refused_total',
    help: 'Messages rejected because a mailbox was full.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_dead_letters_total',
    help: 'Messages whose handler threw.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_mailbox_depth',
    help: 'Messages waiting for a turn.',
    kind: 'gauge',
    labels: ['partition'],
  },
  {
    name: 'engage_timers_pending',
    help: 'Timers pending.',
    kind: 'gauge',
    labels: ['partition'],
  },
  {
    name: 'engage_turns_total',
    help: 'Turns.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_turn_duration_seconds_sum',
    help: 'Total time spent in turns, excluding commits.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_long_turns_total',
    help: 'Turns that took longer than 10 ms.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_timer_lateness_seconds_max',
    help: 'Largest timer delay since start.',
    kind: 'gauge',
    labels: ['partition'],
  },
  {
    name: 'engage_clock_jumps_total',
    help: 'Times the wall clock jumped ahead by more than five minutes.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_outbox_depth',
    help: 'Sends not finished yet.',
    kind: 'gauge',
    labels: ['partition'],
  },
  {
    name: 'engage_event_id_window_hours',
    help: 'Hours for which event ids are remembered.',
    kind: 'gauge',
    labels: ['partition'],
  },
  {
    name: 'engage_dispatch_calls_total',
    help: 'Calls to providers by outcome.',
    kind: 'counter',
    labels: ['channel', 'outcome'],
  },
  {
    name: 'engage_dispatch_duration_seconds_sum',
    help: 'Total duration of calls to providers.',
    kind: 'counter',
    labels: ['channel'],
  },
  {
    name: 'engage_dispatch_duration_seconds_count',
    help: 'Calls to providers.',
    kind: 'counter',
    labels: ['channel'],
  },
  {
    name: 'engage_dispatch_retries_total',
    help: 'Retries: calls to providers after the first for the same device and send.',
    kind: 'counter',
    labels: ['channel'],
  },
  {
    name: 'engage_sends_given_up_total',
    help: 'Sends to a device that failed after their last retry: dead letters.',
    kind: 'counter',
    labels: ['channel', 'lane'],
  },
  {
    name: 'engage_dispatch_in_flight',
    help: 'Calls to providers in progress.',
    kind: 'gauge',
    labels: ['dispatcher'],
  },
  {
    name: 'engage_dispatch_handed_back_total',
    help: 'Grants returned because they could not start in time.',
    kind: 'counter',
    labels: ['dispatcher'],
  },
  {
    name: 'engage_event_loop_lag_seconds',
    help: 'Event loop lag of the front thread, 99th percentile since the last scrape.',
    kind: 'gauge',
  },
  {
    name: 'engage_process_resident_bytes',
    help: 'Resident memory of the engine process.',
    kind: 'gauge',
  },
];

// Every metric there is: name, help, labels. One table, from which the registry and the
// documentation are made.

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
    help: 'Answered calls.',
    kind: 'counter',
    labels: ['route', 'method', 'status_class', 'lane'],
  },
  {
    name: 'engage_http_request_duration_seconds',
    help: 'From the head of a call to its answer.',
    kind: 'histogram',
    labels: ['lane'],
    buckets: seconds,
  },
  { name: 'engage_http_in_flight', help: 'Calls whose answer is not complete.', kind: 'gauge' },
  {
    name: 'engage_ratelimit_refusals_total',
    help: 'Calls refused with 429.',
    kind: 'counter',
    labels: ['lane'],
  },
  {
    name: 'engage_provider_callbacks_total',
    help: 'What providers told: taken, repeated, or ignored as of sends that are not known.',
    kind: 'counter',
    labels: ['channel', 'result'],
  },
  {
    name: 'engage_commits_total',
    help: 'Turns made durable.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_commit_duration_seconds_sum',
    help: 'Time that commits took, together.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_commit_duration_seconds_max',
    help: 'The longest commit since start.',
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
    help: 'Messages dropped unhandled, past their deadline.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_messages_refused_total',
    help: 'Messages refused because a mailbox was full.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_dead_letters_total',
    help: 'Messages whose decision threw.',
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
    help: 'Timers set and not fired.',
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
    help: 'Time spent in turns, without waiting for their commits.',
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
    help: 'How late the latest timer fired since start.',
    kind: 'gauge',
    labels: ['partition'],
  },
  {
    name: 'engage_clock_jumps_total',
    help: 'Times that the wall clock jumped more than five minutes ahead.',
    kind: 'counter',
    labels: ['partition'],
  },
  {
    name: 'engage_outbox_depth',
    help: 'Sends that are not done.',
    kind: 'gauge',
    labels: ['partition'],
  },
  {
    name: 'engage_event_id_window_hours',
    help: 'For how long event ids are remembered.',
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
    help: 'Time that calls to providers took, together.',
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
    help: 'Calls to providers that were not the first for their device and send.',
    kind: 'counter',
    labels: ['channel'],
  },
  {
    name: 'engage_sends_given_up_total',
    help: 'Sends to a device that were given up after their last try: dead letters.',
    kind: 'counter',
    labels: ['channel', 'lane'],
  },
  {
    name: 'engage_dispatch_in_flight',
    help: 'Calls to providers under way.',
    kind: 'gauge',
    labels: ['dispatcher'],
  },
  {
    name: 'engage_dispatch_handed_back_total',
    help: 'Grants handed back because they could not start in time.',
    kind: 'counter',
    labels: ['dispatcher'],
  },
  {
    name: 'engage_event_loop_lag_seconds',
    help: 'Lag of the front thread, 99th percentile since the last read.',
    kind: 'gauge',
  },
  {
    name: 'engage_process_resident_bytes',
    help: 'Resident memory of the engine process.',
    kind: 'gauge',
  },
];

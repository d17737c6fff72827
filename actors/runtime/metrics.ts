// Every metric: name, help, labels. The registry and the documentation are made from this table.

import type { MetricRow } from '../../engine/observe/metrics.ts';

const seconds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export const metricRows: readonly MetricRow[] = [
  gauge('engage_build_info', 'Version and runtime; always 1.', 'version', 'node', 'server'),
  counter(
    'engage_http_requests_total',
    'Requests answered.',
    'route',
    'method',
    'status_class',
    'lane',
  ),
  {
    name: 'engage_http_request_duration_seconds',
    help: 'Request duration, from the request head to the response.',
    kind: 'histogram',
    labels: ['lane'],
    buckets: seconds,
  },
  gauge('engage_http_in_flight', 'Requests in progress.'),
  counter('engage_ratelimit_refusals_total', 'Requests rejected with 429.', 'lane'),
  counter(
    'engage_keyless_people_total',
    'People created by requests without a key or an identity hash. A jump may be a stranger who invents people.',
  ),
  gauge(
    'engage_unvouched_alarm_apps',
    'Apps in which more than ENGAGE_UNVOUCHED_ALARM_PERCENT of the people active this month are known by requests without a key alone.',
  ),
  counter(
    'engage_people_expired_total',
    'Anonymous people who expired, since the partition began.',
    'partition',
  ),
  counter(
    'engage_provider_callbacks_total',
    'Provider callbacks by result: taken, repeated, or ignored because the send is unknown.',
    'channel',
    'result',
  ),
  counter('engage_commits_total', 'Turns committed.', 'partition'),
  counter('engage_commit_duration_seconds_sum', 'Total time spent in commits.', 'partition'),
  gauge('engage_commit_duration_seconds_max', 'Longest commit since start.', 'partition'),
  counter('engage_log_entries_total', 'Entries written to the log.', 'partition'),
  counter('engage_log_bytes_total', 'Bytes of log blocks written.', 'partition'),
  counter('engage_messages_total', 'Messages handled by actors.', 'partition'),
  counter(
    'engage_messages_expired_total',
    'Messages dropped because their deadline had passed.',
    'partition',
  ),
  counter(
    'engage_messages_refused_total',
    'Messages rejected because a mailbox was full.',
    'partition',
  ),
  counter('engage_dead_letters_total', 'Messages whose handler threw.', 'partition'),
  gauge('engage_mailbox_depth', 'Messages waiting for a turn.', 'partition'),
  gauge('engage_timers_pending', 'Timers pending.', 'partition'),
  counter('engage_turns_total', 'Turns.', 'partition'),
  counter(
    'engage_turn_duration_seconds_sum',
    'Total time spent in turns, excluding commits.',
    'partition',
  ),
  counter('engage_long_turns_total', 'Turns that took longer than 10 ms.', 'partition'),
  gauge('engage_timer_lateness_seconds_max', 'Largest timer delay since start.', 'partition'),
  counter(
    'engage_clock_jumps_total',
    'Times the wall clock jumped ahead by more than five minutes.',
    'partition',
  ),
  gauge(
    'engage_clock_behind_seconds',
    'How far the wall clock is behind the newest data.',
    'partition',
  ),
  gauge(
    'engage_clock_unconfirmed_seconds',
    'Time before a start that no clock has confirmed; nothing expires by it.',
    'partition',
  ),
  gauge('engage_outbox_depth', 'Sends not finished yet.', 'partition'),
  gauge('engage_webhooks_open', 'Webhook deliveries not finished yet.', 'partition'),
  gauge(
    'engage_webhooks_disabled',
    'Destinations that were disabled after five days without a success.',
    'partition',
  ),
  gauge(
    'engage_invoices_unpaid',
    'Invoices that are not paid: open ones are charged again, failed ones wait for another payment method.',
    'partition',
    'status',
  ),
  gauge('engage_event_id_window_hours', 'Hours for which event ids are remembered.', 'partition'),
  counter('engage_dispatch_calls_total', 'Calls to providers by outcome.', 'channel', 'outcome'),
  counter(
    'engage_dispatch_duration_seconds_sum',
    'Total duration of calls to providers.',
    'channel',
  ),
  counter('engage_dispatch_duration_seconds_count', 'Calls to providers.', 'channel'),
  counter(
    'engage_dispatch_retries_total',
    'Retries: calls to providers after the first for the same device and send.',
    'channel',
  ),
  counter(
    'engage_sends_given_up_total',
    'Sends to a device that failed after their last retry: dead letters.',
    'channel',
    'lane',
  ),
  gauge('engage_dispatch_in_flight', 'Calls to providers in progress.', 'dispatcher'),
  counter(
    'engage_dispatch_handed_back_total',
    'Grants returned because they could not start in time.',
    'dispatcher',
  ),
  counter(
    'engage_dispatch_recalled_total',
    'Grants returned because of an erasure, an opt-out, a pause or a cancel.',
    'dispatcher',
  ),
  gauge(
    'engage_event_loop_lag_seconds',
    'Event loop lag of the front thread, 99th percentile since the last scrape.',
  ),
  gauge('engage_process_resident_bytes', 'Resident memory of the engine process.'),
];

function counter(name: string, help: string, ...labels: string[]): MetricRow {
  return { name, help, kind: 'counter', labels };
}

function gauge(name: string, help: string, ...labels: string[]): MetricRow {
  return { name, help, kind: 'gauge', labels };
}

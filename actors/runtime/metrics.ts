// Every metric: name, help, labels. The registry and the documentation are made from this table.

import {
  commitBoundsMs,
  latenessBoundsMs,
  turnBoundsMs,
} from '../../engine/actor/partition-options.ts';
import type { MetricRow } from '../../engine/observe/metrics.ts';
import { callBoundsMs } from '../sending/dispatch/channel-figures.ts';

export const requestBoundsMs = [
  0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000,
] as const;

export const metricRows: readonly MetricRow[] = [
  gauge('engage_build_info', 'Version and runtime; always 1.', 'version', 'node', 'server'),
  counter(
    'engage_http_requests_total',
    'Requests answered, including those without a route: a path without a route is `unknown`, a method that is not HTTP is `other`.',
    'route',
    'method',
    'status_class',
    'lane',
  ),
  histogram(
    'engage_http_request_duration_seconds',
    'Seconds from the head of a request to its response, for routes other than /e.',
    requestBoundsMs,
    'lane',
  ),
  histogram(
    'engage_ingest_request_duration_seconds',
    'Seconds from the head of a POST /e to its response; its events are stored by then.',
    requestBoundsMs,
  ),
  gauge('engage_http_in_flight', 'Requests in progress.'),
  counter('engage_ratelimit_refusals_total', 'Requests rejected with 429.', 'lane'),
  counter(
    'engage_keyless_people_total',
    'People created by requests without a key or an identity hash. A jump may mean that someone creates fake people.',
  ),
  counter(
    'engage_address_overflow_total',
    'Calls from an address that shared a rate-limit counter with others because the table was full.',
    'limit',
  ),
  counter(
    'engage_sign_in_mails_total',
    'Requests for sign-in mails by result: sent, kept back by a bound, stopped.',
    'result',
  ),
  gauge(
    'engage_unvouched_alarm_apps',
    'Apps in which more than ENGAGE_UNVOUCHED_ALARM_PERCENT of the people active this month are known only from requests without a key.',
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
  counter(
    'engage_relay_events_refused_total',
    "Calls of mail services that did not prove themselves, by the relay's kind and the reason: signature, too_old or unreadable.",
    'kind',
    'reason',
  ),
  counter('engage_commits_total', 'Turns committed.', 'partition'),
  histogram(
    'engage_commit_duration_seconds',
    'Seconds until a turn was durable.',
    commitBoundsMs,
    'partition',
  ),
  gauge(
    'engage_commit_max_seconds',
    'The longest commit since the start, in seconds.',
    'partition',
  ),
  counter(
    'engage_commit_failures_total',
    'Commits that failed or took more than ten seconds, since the primary process began; each ended the engine process, which then started again.',
  ),
  counter(
    'engage_restarts_total',
    'Times the engine process was started again, since the primary process began.',
    'reason',
  ),
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
  histogram(
    'engage_turn_duration_seconds',
    'Seconds that a turn took, without its commit.',
    turnBoundsMs,
    'partition',
  ),
  counter('engage_long_turns_total', 'Turns that took longer than 10 ms.', 'partition'),
  histogram(
    'engage_timer_lateness_seconds',
    'Seconds between when a timer was due and when it fired.',
    latenessBoundsMs,
    'partition',
  ),
  gauge(
    'engage_timer_lateness_max_seconds',
    'The largest delay of a timer since the start, in seconds.',
    'partition',
  ),
  counter(
    'engage_clock_jumps_total',
    'Times the wall clock jumped ahead by more than five minutes.',
    'partition',
  ),
  gauge(
    'engage_clock_behind_seconds',
    'How many seconds the wall clock is behind the newest data.',
    'partition',
  ),
  gauge(
    'engage_clock_unconfirmed_seconds',
    'Seconds before a start that no clock has confirmed; they do not count toward expiry.',
    'partition',
  ),
  gauge('engage_outbox_depth', 'Sends not finished yet.', 'partition'),
  gauge(
    'engage_channels_slowed',
    'Channels of apps that a provider has slowed down, whole or some domains.',
    'partition',
  ),
  gauge(
    'engage_outbox_oldest_age_seconds',
    'Seconds since the oldest unfinished send was accepted; 0 without one. Paused sends do not count.',
    'partition',
  ),
  gauge(
    'engage_campaigns',
    'Campaigns that are scheduled, sending or paused.',
    'partition',
    'state',
  ),
  gauge('engage_journeys_active', 'People on their way through a journey.', 'partition'),
  counter(
    'engage_duplicates_suppressed_total',
    'Repeated sends, events and provider callbacks that changed nothing, by how the repeat was known: idempotency_key, event_id or callback.',
    'kind',
  ),
  gauge('engage_webhooks_open', 'Webhook deliveries not finished yet.', 'partition'),
  counter(
    'engage_webhook_attempts_total',
    'Attempts to deliver a webhook: delivered, or the error of the attempt.',
    'outcome',
  ),
  histogram(
    'engage_webhook_attempt_duration_seconds',
    'Seconds that an attempt to deliver a webhook took.',
    callBoundsMs,
  ),
  gauge(
    'engage_webhooks_disabled',
    'Destinations that were turned off because no delivery succeeded on five days.',
    'partition',
  ),
  gauge(
    'engage_invoices_unpaid',
    'Invoices that are not paid: open ones are charged again, failed ones wait for another payment method.',
    'partition',
    'status',
  ),
  gauge(
    'engage_event_id_window_seconds',
    'Seconds for which event ids are remembered: a day, unless there are too many.',
    'partition',
  ),
  counter('engage_dispatch_calls_total', 'Calls to providers by outcome.', 'channel', 'outcome'),
  histogram(
    'engage_dispatch_duration_seconds',
    'Seconds that a call to a provider took.',
    callBoundsMs,
    'channel',
  ),
  counter(
    'engage_dispatch_ambiguous_total',
    'Calls to providers after which it is unknown whether the message was sent.',
    'channel',
  ),
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
    'Event loop lag of the front thread in seconds: the 99th percentile since the last scrape.',
  ),
  gauge('engage_process_resident_bytes', 'Resident memory of the engine process, in bytes.'),
  gauge('engage_store_bytes', 'Bytes on disk of a data file, which never shrinks.', 'partition'),
  gauge(
    'engage_store_oldest_reader_seconds',
    'Seconds for which a reader has kept pages of a data file from being reused, as observed when metrics were read.',
    'partition',
  ),
  gauge(
    'engage_store_disk_level',
    'What a partition may write: 0 everything, 1 on a nearly full disk, 2 nothing.',
    'partition',
  ),
  gauge(
    'engage_quarantined',
    'Orgs and apps that are not served because one of their entries could not be read at startup.',
    'partition',
  ),
  gauge('engage_disk_ballast_bytes', 'Bytes kept in reserve, to be freed when the disk is full.'),
  gauge('engage_disk_free_bytes', 'Bytes free on the disk of the data directory.'),
  gauge(
    'engage_disk_free_ratio',
    'The share of the disk of the data directory that is free, from 0 to 1.',
  ),
  gauge(
    'engage_backup_last_success_timestamp_seconds',
    'When the newest backup by `engage backup` was cut, in seconds since 1970. Everything acknowledged before is in it.',
  ),
  gauge('engage_backup_last_duration_seconds', 'Seconds that the newest backup took.'),
  gauge('engage_backup_last_size_bytes', 'Bytes of the newest backup.'),
  gauge('engage_cluster_members', 'Members of the cluster by state: live, or silent.', 'state'),
  gauge(
    'engage_cluster_ownerless_partitions',
    'Partitions without a live owner, as far as this server has heard: their calls wait or get 503.',
  ),
  gauge(
    'engage_cluster_role',
    "This server's copy of a partition: 0 none or stopped, 1 standby, 2 claiming, 3 owner.",
    'partition',
  ),
  gauge('engage_cluster_term', 'The newest term of a partition with a copy here.', 'partition'),
  gauge(
    'engage_cluster_copy_lag_frames',
    'Frames of the log that a copy here has not read, and that another member has.',
    'partition',
  ),
  counter('engage_cluster_takeovers_total', 'Terms that began on this server.'),
  counter('engage_cluster_losses_total', 'Terms that ended on this server.'),
  gauge(
    'engage_cluster_clock_skew_seconds',
    "Seconds by which this server's clock differs from those of most other members.",
  ),
];

function counter(name: string, help: string, ...labels: string[]): MetricRow {
  return { name, help, kind: 'counter', labels };
}

function gauge(name: string, help: string, ...labels: string[]): MetricRow {
  return { name, help, kind: 'gauge', labels };
}

function histogram(
  name: string,
  help: string,
  boundsMs: readonly number[],
  ...labels: string[]
): MetricRow {
  return { name, help, kind: 'histogram', labels, boundsMs };
}

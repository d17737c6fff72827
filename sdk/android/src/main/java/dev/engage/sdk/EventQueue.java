package dev.engage.sdk;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The events that wait. Each is stored with its id, its time and its person before it is sent, and
 * stays until the server has answered. The server remembers ids for a day, so what was sent without
 * an answer is not sent again after 23 hours: it could count twice.
 */
final class EventQueue {
  static final int BATCH_MAX = 500;
  private static final int EVENTS_MAX = 1_000;
  private static final int BYTES_MAX = 524_288;
  private static final long RETRIED_MS = 23 * 3_600_000L;

  /** A time by the clock that people set, and by the process's own. */
  record Moment(long ms, long monotonicMs, String process) {
    Map<String, Object> toJson() {
      return Json.object("ms", ms, "monotonicMs", monotonicMs, "process", process);
    }

    static Moment fromJson(Object value) {
      Map<String, Object> json = Json.asObject(value);
      if (!(json.get("ms") instanceof Number ms)) return null;
      Number monotonicMs = (Number) json.get("monotonicMs");
      return new Moment(ms.longValue(), monotonicMs.longValue(), (String) json.get("process"));
    }

    long elapsed(Moment now) {
      boolean isSame = process.equals(now.process);
      return Math.max(0, isSame ? now.monotonicMs - monotonicMs : now.ms - ms);
    }
  }

  /** One event; subscriberId is null if its person was not known yet. */
  static final class Event {
    long key;
    String id;
    String name;
    long n;
    String subscriberId;
    Map<String, Object> props;
    Map<String, Object> references;
    Moment at;
    Moment tried;
    boolean isTimeless;
    int bytes;

    Map<String, Object> toJson() {
      return Json.object(
          "id", id, "name", name, "n", n, "subscriberId", subscriberId, "props", props,
          "references", references, "at", at.toJson(), "tried", tried == null ? null : tried.toJson(),
          "isTimeless", isTimeless ? true : null);
    }

    static Event fromJson(long key, Map<String, Object> json) {
      Event event = new Event();
      event.key = key;
      event.id = (String) json.get("id");
      event.name = (String) json.get("name");
      event.n = ((Number) json.get("n")).longValue();
      event.subscriberId = Json.asText(json.get("subscriberId"));
      event.props = json.containsKey("props") ? Json.asObject(json.get("props")) : null;
      event.references = Json.asObject(json.get("references"));
      event.at = Moment.fromJson(json.get("at"));
      event.tried = Moment.fromJson(json.get("tried"));
      event.isTimeless = json.containsKey("isTimeless");
      return event;
    }
  }

  private final Platform.Store store;
  private final TreeMap<Long, Event> events = new TreeMap<>();
  private int bytes;

  EventQueue(Platform.Store store) {
    this.store = store;
    for (Map.Entry<Long, String> row : store.readEvents()) {
      Event event = Event.fromJson(row.getKey(), Json.asObject(Json.parse(row.getValue())));
      event.bytes = sizeOf(row.getValue());
      bytes += event.bytes;
      events.put(event.key, event);
    }
  }

  int size() {
    return events.size();
  }

  long lastKey() {
    return events.isEmpty() ? 0 : events.lastKey();
  }

  Collection<Event> all() {
    return events.values();
  }

  /** Stores it; returns what was dropped to make room. */
  List<Event> add(Event event) {
    String json = Json.write(event.toJson());
    event.bytes = sizeOf(json);
    List<Event> dropped = new ArrayList<>();
    while (!events.isEmpty() && (events.size() >= EVENTS_MAX || bytes + event.bytes > BYTES_MAX)) {
      Event oldest = events.firstEntry().getValue();
      remove(List.of(oldest));
      dropped.add(oldest);
    }
    events.put(event.key, event);
    bytes += event.bytes;
    store.putEvent(event.key, json);
    return dropped;
  }

  void remove(Collection<Event> gone) {
    List<Long> keys = new ArrayList<>();
    for (Event event : gone)
      if (events.remove(event.key) != null) {
        bytes -= event.bytes;
        keys.add(event.key);
      }
    if (!keys.isEmpty()) store.removeEvents(keys);
  }

  void put(Event event) {
    store.putEvent(event.key, Json.write(event.toJson()));
  }

  /** Those that may have been counted too long ago; they leave the queue. */
  List<Event> takeExpired(Moment now) {
    List<Event> expired = new ArrayList<>();
    for (Event event : events.values())
      if (event.tried != null && event.tried.elapsed(now) > RETRIED_MS) expired.add(event);
    remove(expired);
    return expired;
  }

  /** The oldest events of one person, marked as tried. */
  List<Event> batch(int limit, Moment now) {
    List<Event> batch = new ArrayList<>();
    for (Event event : events.values()) {
      if (batch.size() == limit || (!batch.isEmpty() && event.n != batch.get(0).n)) break;
      batch.add(event);
      if (event.tried != null) continue;
      event.tried = now;
      put(event);
    }
    return batch;
  }

  /** The body of POST /e. */
  static Map<String, Object> body(String appId, List<Event> batch, String subscriberId, Moment now) {
    List<Object> all = new ArrayList<>();
    for (Event event : batch) {
      String person = event.subscriberId == null ? subscriberId : event.subscriberId;
      // Its age by the clock as it is now, which may have been set since.
      Instant at = Instant.ofEpochMilli(now.ms() - event.at.elapsed(now));
      Map<String, Object> one =
          Json.object(
              "id", event.id, "name", event.name, "subscriberId", person,
              "at", event.isTimeless ? null : at.toString(), "props", event.props);
      if (event.references != null) one.putAll(event.references);
      all.add(one);
    }
    return Json.object("appId", appId, "events", all);
  }

  static int sizeOf(String json) {
    return json.getBytes(StandardCharsets.UTF_8).length;
  }
}

package dev.engage.sdk;

import dev.engage.sdk.EventQueue.Event;
import dev.engage.sdk.EventQueue.Moment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One app on this device: its stored state, and the one loop that tells the server what happened.
 * Whatever is to be told is stored first; the loop then asks the state what is next, makes one call,
 * and stores what it meant. Everything here runs in the platform's executor.
 */
final class Session {
  /** What a job ended with: the next one may begin (below 0), or the loop waits so long. */
  private static final long NEXT = -1;

  private static final long NEVER = Long.MAX_VALUE;
  private static final long COLLECT_MS = 1_000;
  private static final int COLLECT_EVENTS = 20;
  private static final long TAGS_EVERY_MS = 1_000;
  private static final long BACK_OFF_MOST_MS = 300_000;
  private static final long CONTINUES_MS = 30 * 60_000;

  /** An answer; status 0 if nobody answered. problem is null if it succeeded or is a 304. */
  record Answer(int status, Object body, String etag, EngageException problem, Long waitMs) {
    boolean isAway() {
      return status == 0 || status == 429 || status >= 500;
    }

    String member(String name) {
      return Json.asText(Json.asObject(body).get(name));
    }
  }

  final String appId;
  final String baseUrl;
  final Platform platform;
  final State state;
  final EventQueue queue;
  final Consumer<EngageException> onError;
  final Runnable onPerson;
  boolean isNeeded;
  private final Platform.Store store;
  private final String process;
  private final List<Waiter> waiters = new ArrayList<>();
  private String ingestUrl;
  private Platform.Cancel timer = () -> {};
  private long dueMs = NEVER;
  private long taggedMs = -TAGS_EVERY_MS;
  private int failures;
  private int batchMax = EventQueue.BATCH_MAX;
  private boolean isOver;
  private CompletableFuture<Void> running;

  private record Waiter(BooleanSupplier isSo, CompletableFuture<Void> done) {}

  Session(
      String appId,
      String baseUrl,
      Platform platform,
      Consumer<EngageException> onError,
      Runnable onPerson) {
    this.appId = appId;
    this.baseUrl = baseUrl.replaceAll("/+$", "");
    this.platform = platform;
    this.onError = onError;
    this.onPerson = onPerson;
    store = platform.store();
    process = platform.uuid();
    state = State.fromJson(store.readState());
    queue = new EventQueue(store);
    state.nextKey = Math.max(state.nextKey, queue.lastKey() + 1);
  }

  void begin() {
    store();
    boolean isKnown = false;
    for (Person one : state.people) isKnown |= one.id != null || one.wants != null;
    wakeIn(isKnown ? 0 : COLLECT_MS);
  }

  void erase() {
    isOver = true;
    timer.cancel();
    store.erase();
  }

  /** Stores the state, and tells those who wait for something in it. */
  void store() {
    if (!isOver) store.writeState(state.toJson());
    onPerson.run();
    look();
  }

  private void look() {
    for (Iterator<Waiter> all = new ArrayList<>(waiters).iterator(); all.hasNext(); ) {
      Waiter waiter = all.next();
      try {
        if (!waiter.isSo.getAsBoolean()) continue;
        waiters.remove(waiter);
        waiter.done.complete(null);
      } catch (EngageException refused) {
        waiters.remove(waiter);
        waiter.done.completeExceptionally(refused);
      }
    }
  }

  CompletableFuture<Void> until(BooleanSupplier isSo) {
    Waiter waiter = new Waiter(isSo, new CompletableFuture<>());
    waiters.add(waiter);
    look();
    return waiter.done;
  }

  /** Completes once the person is logged in. */
  CompletableFuture<Void> settled() {
    if (state.current().token == null) need();
    return until(() -> state.current().token != null);
  }

  void need() {
    isNeeded = true;
    wakeIn(0);
  }

  private Moment moment() {
    return new Moment(platform.now(), platform.monotonic(), process);
  }

  /** Stores an event of the person with this number. Returns its id. */
  String track(String name, Map<String, Object> props, Map<String, Object> references) {
    Event event = new Event();
    event.key = state.nextKey++;
    event.id = platform.uuid();
    event.name = name;
    event.props = props;
    event.references = references;
    event.at = moment();
    Person person = state.current();
    Object owner = references == null ? null : state.owners.get(references.get("deviceId"));
    if (owner != null && !owner.equals(person.id)) {
      // It is about a device that was somebody else's, who may be gone from here.
      event.subscriberId = (String) owner;
      for (Person one : state.people) if (owner.equals(one.id)) event.n = one.n;
    } else {
      event.subscriberId = person.id;
      event.n = person.n;
    }
    drop(queue.add(event), "the queue is full");
    store();
    wakeIn(queue.size() < COLLECT_EVENTS ? COLLECT_MS : 0);
    return event.id;
  }

  private void drop(List<Event> events, String why) {
    for (Event event : events)
      fail("event_dropped", "event " + event.name + " (" + event.id + ") was dropped: " + why);
  }

  private void fail(String code, String message) {
    onError.accept(EngageException.of(code, message));
  }

  /** Makes the next round begin in so many milliseconds, unless it begins sooner. */
  void wakeIn(long ms) {
    // While the server is away, only its own time and a new network begin a round.
    if (dueMs < NEVER && failures > 0) return;
    if (dueMs == NEVER || platform.monotonic() + ms < dueMs) waitFor(ms);
  }

  void networkIsBack() {
    failures = 0;
    waitFor(0);
  }

  private void waitFor(long ms) {
    if (isOver) return;
    timer.cancel();
    dueMs = platform.monotonic() + ms;
    timer = platform.after(ms, this::round);
  }

  /** Tells the server all that there is to tell, as far as it answers. */
  CompletableFuture<Void> round() {
    if (running != null)
      return running.thenCompose(
          (done) -> dueMs == NEVER ? CompletableFuture.completedFuture(null) : round());
    timer.cancel();
    dueMs = NEVER;
    CompletableFuture<Void> ended = new CompletableFuture<>();
    running = ended;
    for (Person one : state.people) isNeeded |= one.id != null;
    work()
        .whenComplete(
            (waitMs, error) -> {
              if (error != null) fail("internal", String.valueOf(error));
              Long nextMs = error == null ? waitMs : Long.valueOf(backOff());
              running = null;
              if (nextMs == null) failures = 0;
              else waitFor(nextMs);
              look();
              ended.complete(null);
            });
    return ended;
  }

  /** Completes with how long to wait; null when nothing is left. */
  private CompletableFuture<Long> work() {
    List<Supplier<CompletableFuture<Long>>> jobs =
        List.of(
            this::readConfig, this::logIn, this::sendTags, this::sendEvents, this::waitForTags,
            this::endSession, this::unregister, this::register);
    return first(jobs.iterator())
        .thenCompose(
            (outcome) ->
                outcome != null && outcome == NEXT && !isOver
                    ? work()
                    : CompletableFuture.completedFuture(
                        outcome == null || outcome == NEXT ? null : outcome));
  }

  private static CompletableFuture<Long> first(Iterator<Supplier<CompletableFuture<Long>>> jobs) {
    if (!jobs.hasNext()) return CompletableFuture.completedFuture(null);
    return jobs.next()
        .get()
        .thenCompose(
            (outcome) ->
                outcome == null ? first(jobs) : CompletableFuture.completedFuture(outcome));
  }

  private static CompletableFuture<Long> nothing() {
    return CompletableFuture.completedFuture(null);
  }

  private static CompletableFuture<Long> next() {
    return CompletableFuture.completedFuture(NEXT);
  }

  /** After an answer that is none: what it asks for, or longer each time. */
  private CompletableFuture<Long> later(Answer answer) {
    if (answer.problem != null && failures == 0) onError.accept(answer.problem);
    long backOffMs = backOff();
    return CompletableFuture.completedFuture(answer.waitMs == null ? backOffMs : answer.waitMs);
  }

  private long backOff() {
    failures++;
    double most = Math.min(BACK_OFF_MOST_MS, 1_000 * Math.pow(2, Math.min(failures, 20)));
    return Math.round(most / 2 * (1 + platform.random()));
  }

  private CompletableFuture<Long> readConfig() {
    if (ingestUrl != null) return nothing();
    return call("GET", "/v1/sdk/app/" + Http.encoded(appId), null, null, null, null)
        .thenCompose(
            (answer) -> {
              if (answer.status != 200) return later(answer);
              ingestUrl = answer.member("ingestUrl");
              if (ingestUrl == null) ingestUrl = baseUrl;
              return next();
            });
  }

  private CompletableFuture<Long> logIn() {
    Person person = nextLogin();
    if (person == null) return nothing();
    store(); // Before it is sent: its answer may be lost.
    Map<String, Object> attempt = person.attempt;
    String key = (String) attempt.get("key");
    return call("POST", "/v1/sdk/subscriber", attempt.get("body"), null, key, null)
        .thenCompose(
            (answer) -> {
              if (answer.isAway()) return later(answer);
              Person found = state.person(person.n);
              boolean isIt = found != null && found.attempt != null;
              if (!isIt || !key.equals(found.attempt.get("key"))) return next();
              if (answer.status == 200) loggedIn(found, answer);
              else if (!loginRefused(found, answer)) return later(answer);
              store();
              return next();
            });
  }

  /** Who is to be logged in next, with an attempt; null for nobody. */
  private Person nextLogin() {
    for (Person person : state.people) {
      boolean isMine = isNeeded && person == state.current();
      boolean isUsed = isMine || person.tags != null;
      for (Event event : queue.all()) isUsed |= event.n == person.n;
      boolean isStale = Math.abs(platform.now() - person.seenMs) > CONTINUES_MS;
      // Of one who left at once, a login matters only for what they did before it.
      Map<String, Object> wants =
          person.isGone && !isUsed && person.id == null ? null : person.wants;
      boolean needsLogin = isUsed && person.id == null;
      boolean isOld = isMine && isStale && person.token != null;
      if (person.attempt == null && wants == null && !needsLogin && !isOld) continue;
      if (person.attempt == null) {
        Map<String, Object> body = Json.object("appId", appId, "clientToken", person.token);
        if (wants != null) body.putAll(wants);
        if (!person.isPlain)
          body.putAll(Json.object("timezone", platform.timezone(), "language", platform.language()));
        person.attempt = Json.object("key", platform.uuid(), "body", body, "claim", wants);
      }
      return person;
    }
    return null;
  }

  private void loggedIn(Person person, Answer answer) {
    Object claim = person.attempt.get("claim");
    person.attempt = null;
    String id = answer.member("subscriberId");
    // Another record than before, as after a merge: its device is registered anew.
    if (!Objects.equals(person.id, id)) person.device = Person.unregistered(person.device);
    person.id = id;
    person.token = answer.member("clientToken");
    person.seenMs = platform.now();
    if (claim == null) return;
    Map<String, Object> claimed = Json.asObject(claim);
    person.externalUserId = (String) claimed.get("externalUserId");
    if (claimed.containsKey("identityHash")) person.isProven = true;
    if (claimed.equals(person.wants)) person.wants = null;
  }

  /** False if the same attempt is to be made again later. */
  private boolean loginRefused(Person person, Answer answer) {
    Map<String, Object> claim = Json.asObject(person.attempt.get("claim"));
    EngageException problem = answer.problem;
    String field = problem == null ? null : problem.field;
    boolean isClaim = !claim.isEmpty();
    if (answer.status == 401) {
      person.attempt = null;
      // Either the token or, of a key that was used, its session has ended: log in anew.
      if (!"idempotencyKey".equals(field) || !isClaim) state.loseToken(person);
      onError.accept(problem);
    } else if (answer.status == 409 && "idempotency_conflict".equals(problem.code)) {
      person.attempt = null;
    } else if (answer.status == 409 && "clientToken".equals(field) && isClaim) {
      // The token is somebody else's by now, whom the server knows: they log out first.
      person.attempt = null;
      person.wants = null;
      if (person.externalUserId == null) person.externalUserId = "";
      if (person == state.current()) state.add().wants = claim;
    } else if (answer.status == 400
        && ("timezone".equals(field) || "language".equals(field))
        && !person.isPlain) {
      person.attempt = null;
      person.isPlain = true;
    } else if (isClaim && (answer.status == 400 || answer.status == 403)) {
      person.attempt = null;
      person.wants = null;
      person.refused = explained(problem);
      person.refusedUser = (String) claim.get("externalUserId");
      onError.accept(problem);
    } else return false;
    return true;
  }

  private static EngageException explained(EngageException problem) {
    if (!"identity_required".equals(problem.code)) return problem;
    String advice = "; compute identityHash on your server and pass it to login()";
    String message = problem.getMessage() + advice;
    return new EngageException(problem.code, message, problem.field, problem.requestId);
  }

  private CompletableFuture<Long> tokenLost(Person person, String token) {
    Person found = state.person(person.n);
    if (found != null && Objects.equals(found.token, token)) {
      state.loseToken(found);
      store();
    }
    return next();
  }

  private Person tagged() {
    for (Person one : state.people) if (one.tags != null && one.token != null) return one;
    return null;
  }

  private long tagsWaitMs() {
    return taggedMs + TAGS_EVERY_MS - platform.monotonic();
  }

  private CompletableFuture<Long> sendTags() {
    Person person = tagged();
    if (person == null || tagsWaitMs() > 0) return nothing();
    taggedMs = platform.monotonic();
    String token = person.token;
    Map<String, Object> sent = new LinkedHashMap<>(person.tags);
    return post("tags", token, "tags", sent)
        .thenCompose(
            (answer) -> {
              if (answer.status == 401) return tokenLost(person, token);
              if (answer.status != 204 && answer.status != 400 && answer.status != 403)
                return later(answer);
              if (answer.problem != null) onError.accept(answer.problem);
              Person found = state.person(person.n);
              if (found != null && found.tags != null) {
                found.tags.entrySet().removeAll(sent.entrySet());
                if (found.tags.isEmpty()) found.tags = null;
              }
              store();
              return next();
            });
  }

  private CompletableFuture<Long> waitForTags() {
    return tagged() == null
        ? nothing()
        : CompletableFuture.completedFuture(Math.max(0, tagsWaitMs()));
  }

  private CompletableFuture<Long> sendEvents() {
    Moment now = moment();
    drop(queue.takeExpired(now), "sent a day ago, no answer");
    List<Event> batch = queue.batch(batchMax, now);
    if (batch.isEmpty()) return nothing();
    Person person = state.person(batch.get(0).n);
    String subscriberId = person == null ? null : person.id;
    List<Event> nameless = new ArrayList<>();
    for (Event one : batch)
      if (one.subscriberId == null && subscriberId == null) nameless.add(one);
    if (!nameless.isEmpty()) {
      // A person who came after this round's login: the next turn of the loop logs them in.
      if (person != null) return next();
      drop(nameless, "its person was forgotten");
      return answered(nameless);
    }
    String token = person == null ? null : person.token;
    Map<String, Object> body = EventQueue.body(appId, batch, subscriberId, now);
    return ask("POST", ingestUrl + "/e", body, token, null, null)
        .thenCompose((answer) -> eventsAnswered(batch, person, token, answer));
  }

  private CompletableFuture<Long> answered(List<Event> gone) {
    failures = 0;
    queue.remove(gone);
    return next();
  }

  private CompletableFuture<Long> eventsAnswered(
      List<Event> batch, Person person, String token, Answer answer) {
    if (answer.isAway()) return later(answer);
    if (answer.status == 401 && token != null) return tokenLost(person, token);
    boolean isTooMuch = answer.status == 400 || answer.status == 413;
    if (isTooMuch && batch.size() > 1) {
      batchMax = (batch.size() + 1) / 2;
      return next();
    }
    if (answer.status != 202 && !isTooMuch) return later(answer);
    List<Event> gone = new ArrayList<>(batch);
    for (Object one : Json.asList(Json.asObject(answer.body).get("errors"))) {
      Map<String, Object> refusal = Json.asObject(one);
      Event event = batch.get(((Number) refusal.get("index")).intValue());
      String error = String.valueOf(refusal.get("error"));
      if (error.startsWith("at:") && !event.isTimeless) {
        // The clock of this device is wrong: the event counts when it arrives.
        event.isTimeless = true;
        queue.put(event);
        gone.remove(event);
      } else drop(List.of(event), error);
    }
    if (answer.problem != null) drop(batch, answer.problem.getMessage());
    return answered(gone);
  }

  /** Of one who logged out and whose events are sent. */
  private CompletableFuture<Long> endSession() {
    Person person = state.people.get(0);
    if (!person.isGone) return nothing();
    if (person.token == null) return forget(person);
    return post("logout", person.token, "deviceId", person.deviceId())
        .thenCompose(
            (answer) -> {
              if (answer.isAway()) return later(answer);
              if (answer.status == 204 || person.deviceId() == null) return forget(person);
              // The device is somebody else's by now: only the session is to end.
              person.device = null;
              store();
              return next();
            });
  }

  private CompletableFuture<Long> forget(Person person) {
    state.people.remove(person);
    store();
    return next();
  }

  private CompletableFuture<Long> unregister() {
    for (Person person : state.people) {
      if (person.former.isEmpty() || person.token == null) continue;
      String device = person.former.get(0);
      String token = person.token;
      return post("unregister", token, "deviceId", device)
          .thenCompose(
              (answer) -> {
                if (answer.status == 401) return tokenLost(person, token);
                if (answer.isAway()) return later(answer);
                person.former.remove(device);
                store();
                return next();
              });
    }
    return nothing();
  }

  private CompletableFuture<Long> register() {
    Person person = state.current();
    Map<String, Object> device = person.device;
    String token = person.token;
    if (device == null || device.containsKey("id") || token == null) return nothing();
    Object endpoint = device.get("endpoint");
    return post("register", token, "channel", device.get("channel"), "endpoint", endpoint)
        .thenCompose(
            (answer) -> {
              if (answer.status == 401) return tokenLost(person, token);
              if (answer.status != 200 && answer.status != 400 && answer.status != 403)
                return later(answer);
              if (answer.problem != null) onError.accept(answer.problem);
              // Unless another was chosen meanwhile.
              if (person.device == device) {
                String id = answer.member("deviceId");
                Map<String, Object> known = new LinkedHashMap<>(device);
                known.put("id", id);
                state.setDevice(person, id == null ? null : known);
              }
              store();
              return next();
            });
  }

  CompletableFuture<Answer> post(String what, String clientToken, Object... members) {
    Map<String, Object> body = Json.object("appId", appId, "clientToken", clientToken);
    body.putAll(Json.object(members));
    return call("POST", "/v1/sdk/" + what, body, null, null, null);
  }

  CompletableFuture<Answer> call(
      String method, String path, Object body, String token, String key, String etag) {
    return ask(method, baseUrl + path, body, token, key, etag);
  }

  private CompletableFuture<Answer> ask(
      String method, String url, Object body, String token, String key, String etag) {
    return Http.ask(platform, method, url, body, token, key, etag);
  }
}

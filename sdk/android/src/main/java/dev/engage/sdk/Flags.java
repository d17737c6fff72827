package dev.engage.sdk;

import dev.engage.sdk.Session.Answer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Feature flags: read when the person changes, kept for the next start, asked without waiting. */
public final class Flags {
  private final Engage engage;
  private final List<Consumer<Map<String, Object>>> listeners = new CopyOnWriteArrayList<>();
  /** Of the person of now. */
  private volatile Map<String, Object> values = Map.of();
  private CompletableFuture<Void> reading;

  Flags(Engage engage) {
    this.engage = engage;
  }

  /** Whether the flag is on, by the last answer; fallback if there is none. */
  public boolean get(String key, boolean fallback) {
    return Json.asObject(values.get(key)).get("enabled") instanceof Boolean isOn ? isOn : fallback;
  }

  /** Which variant the person has; null if the flag is off or has none. */
  public String variant(String key) {
    return Json.asText(Json.asObject(values.get(key)).get("variant"));
  }

  public Platform.Cancel onChange(Consumer<Map<String, Object>> listener) {
    listeners.add(listener);
    return () -> listeners.remove(listener);
  }

  /** Asks the server, for a person who is logged in. */
  public CompletableFuture<Void> refresh() {
    return engage.run(
        () -> {
          Session session = engage.session();
          if (session == null || session.state.current().token == null) return Engage.done();
          if (reading == null)
            reading = read(session).whenComplete((done, error) -> reading = null);
          return reading == null ? Engage.done() : reading;
        });
  }

  private CompletableFuture<Void> read(Session session) {
    State state = session.state;
    Person person = state.current();
    String etag = state.flagsOf == person.n ? state.flagsEtag : null;
    String path = "/v1/sdk/flags?appId=" + Http.encoded(session.appId);
    return session
        .call("GET", path, null, person.token, null, etag)
        .thenAccept(
            (answer) -> {
              if (answer.status() == 200 && state.current().n == person.n) store(session, answer);
            });
  }

  private void store(Session session, Answer answer) {
    State state = session.state;
    Map<String, Object> now = Json.asObject(answer.body());
    boolean isChanged = !now.equals(state.flags);
    state.flagsOf = state.current().n;
    state.flagsEtag = answer.etag();
    state.flags = now;
    session.store();
    if (isChanged) for (Consumer<Map<String, Object>> one : listeners) one.accept(now);
  }

  /** None of somebody else's. */
  void read(State state) {
    values = state.flagsOf == state.current().n ? state.flags : Map.of();
  }
}

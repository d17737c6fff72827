package dev.engage.sdk;

import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** What the person wants: channels, topics, language, timezone, suppressed. Never kept here. */
public final class Preferences {
  private final Engage engage;

  Preferences(Engage engage) {
    this.engage = engage;
  }

  public CompletableFuture<Map<String, Object>> get() {
    return engage.askAsPerson(
        (session) -> {
          String path = "/v1/sdk/preferences?appId=" + Http.encoded(session.appId);
          return session.call("GET", path, null, session.state.current().token, null, null);
        });
  }

  /** Any of channels, topics, language and timezone; what is left out keeps its value. */
  public CompletableFuture<Map<String, Object>> set(Map<String, Object> change) {
    return engage.askAsPerson(
        (session) -> {
          String token = session.state.current().token;
          Map<String, Object> body = Json.object("appId", session.appId, "clientToken", token);
          body.putAll(change);
          return session.call("PUT", "/v1/sdk/preferences", body, null, null, null);
        });
  }
}

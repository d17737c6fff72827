package dev.engage.sdk;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Where the person is reached beside this device. */
final class Addresses {
  private final Engage engage;

  Addresses(Engage engage) {
    this.engage = engage;
  }

  CompletableFuture<Boolean> addEmail(String address, List<String> topics, String language) {
    return post("subscribe", "channel", "email", "endpoint", address, "topics", topics, "language", language)
        .thenApply((answer) -> "asked".equals(answer.get("confirmation")));
  }

  CompletableFuture<Boolean> addPhone(String number) {
    return post("register", "channel", "sms", "endpoint", number).thenApply((answer) -> false);
  }

  CompletableFuture<Void> remove(String channel, String address) {
    return post("unregister", "channel", channel, "endpoint", address).thenApply((answer) -> null);
  }

  private CompletableFuture<Map<String, Object>> post(String what, Object... members) {
    return engage.askAsPerson(
        (session) -> {
          String token = session.state.current().token;
          return session.post(what, token, members);
        });
  }
}

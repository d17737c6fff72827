package dev.engage.sdk;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The kept messages of the person, as GET /v1/sdk/feed has them. */
public final class Inbox {
  private final Engage engage;
  /** Read on this device, before the server's answer says so. */
  private final Set<String> read = new HashSet<>();

  private final Set<String> archived = new HashSet<>();
  private long newestOf;
  private String newestEtag;
  private Map<String, Object> newest;

  Inbox(Engage engage) {
    this.engage = engage;
  }

  /** The newest page: items, unread, nextCursor. */
  public CompletableFuture<Map<String, Object>> list() {
    return list(null);
  }

  /** A page of the inbox, newest first; cursor is the nextCursor of the page before. */
  public CompletableFuture<Map<String, Object>> list(String cursor) {
    return engage.withSession(
        (session) ->
            session
                .settled()
                .thenCompose((done) -> page(session, cursor))
                .thenApply(this::view));
  }

  public CompletableFuture<Long> unread() {
    return list().thenApply((page) -> ((Number) page.get("unread")).longValue());
  }

  /** Shows at once. Without a network it waits among the events; taken back if it is refused. */
  public CompletableFuture<Void> markRead(String id) {
    return mark(id, read, List.of(id), List.of(), "inbox_read");
  }

  /** As markRead; the message leaves the inbox. */
  public CompletableFuture<Void> archive(String id) {
    return mark(id, archived, List.of(), List.of(id), "inbox_archived");
  }

  private CompletableFuture<Void> mark(
      String id, Set<String> marked, List<String> reads, List<String> archives, String event) {
    return engage.withSession(
        (session) ->
            session
                .settled()
                .thenCompose(
                    (done) -> {
                      marked.add(id);
                      String token = session.state.current().token;
                      return session.post("inbox", token, "read", reads, "archive", archives);
                    })
                .thenCompose(
                    (answer) -> {
                      if (answer.isAway() || answer.status() == 401) {
                        session.track(event, null, Json.object("messageId", id));
                        return Engage.done();
                      }
                      if (answer.problem() != null) marked.remove(id);
                      Engage.orThrow(answer);
                      return page(session, null).handle((found, error) -> null);
                    }));
  }

  private CompletableFuture<Map<String, Object>> page(Session session, String cursor) {
    Person person = session.state.current();
    boolean isKnown = cursor == null && newest != null && newestOf == person.n;
    String more = cursor == null ? "" : "&cursor=" + Http.encoded(cursor);
    String path = "/v1/sdk/feed?appId=" + Http.encoded(session.appId) + more;
    return session
        .call("GET", path, null, person.token, null, isKnown ? newestEtag : null)
        .thenApply(
            (answer) -> {
              if (answer.status() == 304 && isKnown) return newest;
              Object inbox = Json.asObject(Engage.orThrow(answer).body()).get("inbox");
              Map<String, Object> found = Json.asObject(inbox);
              if (cursor != null) return found;
              newestOf = person.n;
              newestEtag = answer.etag();
              return newest = found;
            });
  }

  private Map<String, Object> view(Map<String, Object> page) {
    List<Object> items = new ArrayList<>();
    long unread = page.get("unread") instanceof Number count ? count.longValue() : 0;
    for (Object one : Json.asList(page.get("items"))) {
      Map<String, Object> item = new LinkedHashMap<>(Json.asObject(one));
      boolean isUnread = Boolean.FALSE.equals(item.get("read"));
      if (read.contains(item.get("id"))) item.put("read", true);
      boolean isGone = archived.contains(item.get("id"));
      if (isUnread && (isGone || Boolean.TRUE.equals(item.get("read")))) unread--;
      if (!isGone) items.add(item);
    }
    Map<String, Object> seen = new LinkedHashMap<>(page);
    seen.put("items", items);
    seen.put("unread", Math.max(0, unread));
    return seen;
  }
}

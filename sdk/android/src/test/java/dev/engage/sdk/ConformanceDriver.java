package dev.engage.sdk;

import dev.engage.sdk.Platform.HttpAnswer;
import dev.engage.sdk.Platform.HttpRequest;
import dev.engage.sdk.Platform.PushToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Runs the SDK for the conformance scripts: sdk/conformance/README.md has its commands. */
public final class ConformanceDriver {
  private final Path folder;
  private final ArrayDeque<Runnable> work = new ArrayDeque<>();
  private final List<Timer> timers = new ArrayList<>();
  private final Map<Long, CompletableFuture<HttpAnswer>> waiting = new TreeMap<>();
  private List<Object> requests = new ArrayList<>();
  private List<Object> ends = new ArrayList<>();
  private List<Object> heard = new ArrayList<>();
  private long startMs;
  private long clockMs;
  private long passedMs;
  private long nextId = 1;
  /** Of the process: what an older one left behind is nothing. */
  private int process;
  private String appId;
  private PushToken token;
  private Engage engage;

  private record Timer(long dueMs, Runnable work) {}

  private ConformanceDriver(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] words) throws IOException {
    ConformanceDriver driver = new ConformanceDriver(Files.createTempDirectory("engage-driver"));
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine())
      out.println(Json.write(driver.obey(Json.asObject(Json.parse(line)))));
    new FileStore(driver.folder).erase();
    Files.delete(driver.folder);
  }

  private Map<String, Object> obey(Map<String, Object> command) {
    switch ((String) command.get("do")) {
      case "start" -> start(command);
      case "open" -> open();
      case "call" -> call(command);
      case "answer" -> answer(command);
      case "pass" -> pass(number(command, "ms"));
      case "device" -> device(Json.asObject(command.get("change")));
      case "state" -> {
        return Json.object("state", state());
      }
      default -> throw new IllegalArgumentException("no command " + command.get("do"));
    }
    settle();
    Map<String, Object> report =
        Json.object("requests", requests, "ends", ends, "heard", heard);
    requests = new ArrayList<>();
    ends = new ArrayList<>();
    heard = new ArrayList<>();
    return report;
  }

  private static long number(Map<String, Object> command, String name) {
    return ((Number) command.get(name)).longValue();
  }

  private void start(Map<String, Object> command) {
    new FileStore(folder).erase();
    startMs = number(command, "startMs");
    appId = (String) command.get("appId");
    clockMs = passedMs = 0;
    token = null;
  }

  private void open() {
    process++;
    work.clear();
    timers.clear();
    waiting.clear();
    engage = new Engage(new Machine(new FileStore(folder), process));
    engage.onError((problem) -> heard.add(Json.object("name", "error", "value", toJson(problem))));
    engage.flags.onChange(
        (values) -> heard.add(Json.object("name", "flags.change", "value", values)));
  }

  private static Map<String, Object> toJson(EngageException problem) {
    return Json.object(
        "code", problem.code, "message", problem.getMessage(), "field", problem.field);
  }

  private void call(Map<String, Object> command) {
    String as = (String) command.get("as");
    CompletableFuture<?> result;
    try {
      result = made((String) command.get("name"), Json.asObject(command.get("with")));
    } catch (EngageException problem) {
      result = CompletableFuture.failedFuture(problem);
    }
    result.whenComplete(
        (value, error) ->
            ends.add(
                error instanceof EngageException problem
                    ? Json.object("as", as, "error", toJson(problem))
                    : error != null
                        ? Json.object("as", as, "error", Map.of("code", String.valueOf(error)))
                        : Json.object("as", as, "value", plain(value))));
  }

  private static Object plain(Object value) {
    if (!(value instanceof Engage.User user)) return value;
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("subscriberId", user.subscriberId());
    all.put("externalUserId", user.externalUserId());
    return all;
  }

  @SuppressWarnings("unchecked")
  private CompletableFuture<?> made(String name, Map<String, Object> with) {
    return switch (name) {
      case "init" ->
          engage.init(
              text(with, "appId"), text(with, "baseUrl"), "pending".equals(with.get("consent")));
      case "setConsent" -> engage.setConsent((Boolean) with.get("granted"));
      case "login" -> engage.login(text(with, "externalUserId"), text(with, "identityHash"));
      case "logout" -> engage.logout();
      case "user" -> engage.user();
      case "setTags" -> engage.setTags(objectOf(with.get("tags")));
      case "removeTags" -> engage.removeTags((List<String>) with.get("names"));
      case "track" -> engage.track(text(with, "name"), objectOf(with.get("props")));
      case "flush" -> engage.flush();
      case "reset" -> engage.reset();
      case "flags.get" ->
          CompletableFuture.completedFuture(
              engage.flags.get(text(with, "key"), (Boolean) with.get("fallback")));
      case "flags.variant" ->
          CompletableFuture.completedFuture(engage.flags.variant(text(with, "key")));
      case "flags.refresh" -> engage.flags.refresh();
      case "inbox.list" -> engage.inbox.list(text(with, "cursor"));
      case "inbox.unread" -> engage.inbox.unread();
      case "inbox.markRead" -> engage.inbox.markRead(text(with, "id"));
      case "preferences.get" -> engage.preferences.get();
      case "preferences.set" -> engage.preferences.set(with);
      case "addEmail" -> engage.addEmail(text(with, "address")).thenApply(ConformanceDriver::asked);
      case "addPhone" -> engage.addPhone(text(with, "number")).thenApply(ConformanceDriver::asked);
      case "removeAddress" -> engage.removeAddress(text(with, "channel"), text(with, "address"));
      case "push.subscribe" -> engage.push.subscribe();
      case "push.unsubscribe" -> engage.push.unsubscribe();
      case "liveActivity.register" ->
          engage.registerLiveActivity(text(with, "activityType"), text(with, "pushToken"));
      case "liveActivity.rotate" ->
          engage.rotateLiveActivity(text(with, "id"), text(with, "pushToken"));
      default -> throw new IllegalArgumentException("no call " + name);
    };
  }

  private static Map<String, Object> asked(boolean isAsked) {
    return Map.of("confirmation", isAsked ? "asked" : "none");
  }

  private static String text(Map<String, Object> with, String name) {
    return Json.asText(with.get(name));
  }

  /** What the types of Java let nobody pass is refused as the SDK would. */
  @SuppressWarnings("unchecked")
  private static Map<String, Object> objectOf(Object value) {
    if (value == null || value instanceof Map) return (Map<String, Object>) value;
    String field = value instanceof List<?> list && list.contains("plan") ? "tags" : "props";
    throw EngageException.invalid(field, "expected an object");
  }

  @SuppressWarnings("unchecked")
  private void answer(Map<String, Object> command) {
    CompletableFuture<HttpAnswer> call = waiting.remove(number(command, "id"));
    if (call == null) return;
    if (command.get("status") == null) {
      call.completeExceptionally(new IOException("nobody answers"));
      return;
    }
    Map<String, String> headers = (Map<String, String>) command.get("headers");
    call.complete(new HttpAnswer((int) number(command, "status"), headers, text(command, "text")));
  }

  private void pass(long ms) {
    long endMs = passedMs + ms;
    for (settle(); ; settle()) {
      Timer next = nextTimer(endMs);
      if (next == null) break;
      passedMs = Math.max(passedMs, next.dueMs);
    }
    passedMs = endMs;
  }

  private Timer nextTimer(long endMs) {
    Timer next = null;
    for (Timer one : timers)
      if (one.dueMs <= endMs && (next == null || one.dueMs < next.dueMs)) next = one;
    return next;
  }

  /** Until nothing more happens without time or an answer. */
  private void settle() {
    for (; ; ) {
      for (Runnable one = work.poll(); one != null; one = work.poll()) one.run();
      Timer due = nextTimer(passedMs);
      if (due == null) return;
      timers.remove(due);
      due.work.run();
    }
  }

  @SuppressWarnings("unchecked")
  private void device(Map<String, Object> change) {
    if (Boolean.TRUE.equals(change.get("online"))) engage.networkIsBack();
    if (change.get("clockMs") instanceof Number ms) clockMs = ms.longValue();
    if (change.get("token") != null) {
      Map<String, Object> given = Json.asObject(change.get("token"));
      token = new PushToken(text(given, "channel"), text(given, "endpoint"));
      engage.push.onNewToken(token);
    }
    if (change.get("opened") != null)
      engage.push.onOpened((Map<String, String>) change.get("opened"));
  }

  private Map<String, Object> state() {
    FileStore stored = new FileStore(folder);
    Person person = State.fromJson(stored.readState()).current();
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("subscriberId", person.id);
    state.put("externalUserId", person.externalUserId);
    state.put("waiting", stored.readEvents().size());
    return state;
  }

  /** The device, as one process sees it. */
  private final class Machine implements Platform {
    private final Store store;
    private final int mine;

    Machine(Store store, int mine) {
      this.store = store;
      this.mine = mine;
    }

    @Override
    public Executor executor() {
      return (one) -> {
        if (mine == process) work.add(one);
      };
    }

    @Override
    public CompletableFuture<HttpAnswer> send(HttpRequest request) {
      long id = nextId++;
      requests.add(
          Json.object(
              "id", id, "method", request.method(), "url", request.url(),
              "headers", request.headers(), "body", request.body()));
      CompletableFuture<HttpAnswer> answer = new CompletableFuture<>();
      waiting.put(id, answer);
      return answer;
    }

    @Override
    public Cancel after(long ms, Runnable one) {
      Timer timer = new Timer(passedMs + ms, one);
      timers.add(timer);
      return () -> timers.remove(timer);
    }

    @Override
    public long now() {
      return startMs + clockMs + passedMs;
    }

    @Override
    public long monotonic() {
      return passedMs;
    }

    @Override
    public String uuid() {
      return UUID.randomUUID().toString();
    }

    @Override
    public double random() {
      return 0.5;
    }

    @Override
    public String timezone() {
      return "Asia/Bangkok";
    }

    @Override
    public String language() {
      return "th";
    }

    @Override
    public Store store() {
      return store;
    }

    @Override
    public CompletableFuture<PushToken> pushToken() {
      return CompletableFuture.completedFuture(token);
    }
  }
}

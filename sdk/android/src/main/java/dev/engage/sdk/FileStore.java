package dev.engage.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A store in a folder: the state in one file, which is replaced whole, and the events in another, to
 * which each change adds a line. A line that a crash cut off is left out. Both are on the disk when a
 * call returns.
 */
public final class FileStore implements Platform.Store {
  /** Lines that say nothing any more; beyond, the file is written anew. */
  private static final int IDLE_LINES_MAX = 2_000;

  private final Path folder;
  private final TreeMap<Long, String> events = new TreeMap<>();
  private int lines;
  private FileChannel log;

  public FileStore(Path folder) {
    this.folder = folder;
  }

  @Override
  public String readState() {
    return reading(folder.resolve("state.json"));
  }

  @Override
  public void writeState(String json) {
    replace(folder.resolve("state.json"), json);
  }

  @Override
  public List<Map.Entry<Long, String>> readEvents() {
    events.clear();
    String text = reading(folder.resolve("events.log"));
    for (String line : text == null ? new String[0] : text.split("\n")) {
      int space = line.indexOf(' ');
      try {
        if (space < 0) events.remove(Long.parseLong(line.substring(1)));
        else {
          Json.parse(line.substring(space));
          events.put(Long.parseLong(line.substring(1, space)), line.substring(space + 1));
        }
      } catch (RuntimeException cutOff) {
        // The process ended while it wrote this line: nobody was told that it is stored.
      }
    }
    lines = text == null ? 0 : text.split("\n").length;
    // What is added next would join a line that was cut off.
    if (text != null && !text.isEmpty() && !text.endsWith("\n")) rewrite();
    return new ArrayList<>(new TreeMap<>(events).entrySet());
  }

  @Override
  public void putEvent(long key, String json) {
    events.put(key, json);
    append("+" + key + " " + json + "\n", 1);
  }

  @Override
  public void removeEvents(List<Long> keys) {
    StringBuilder text = new StringBuilder();
    for (Long key : keys) {
      events.remove(key);
      text.append('-').append(key).append('\n');
    }
    append(text.toString(), keys.size());
    if (lines > events.size() + IDLE_LINES_MAX) rewrite();
  }

  @Override
  public void erase() {
    events.clear();
    try {
      close();
      for (String name : List.of("state.json", "events.log"))
        Files.deleteIfExists(folder.resolve(name));
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private void rewrite() {
    try {
      close();
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    StringBuilder text = new StringBuilder();
    events.forEach((key, json) -> text.append('+').append(key).append(' ').append(json).append('\n'));
    lines = events.size();
    replace(folder.resolve("events.log"), text.toString());
  }

  private void close() throws IOException {
    if (log != null) log.close();
    log = null;
  }

  private void append(String text, int count) {
    try {
      if (log == null) {
        Files.createDirectories(folder);
        log =
            FileChannel.open(
                folder.resolve("events.log"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      }
      write(log, text);
      lines += count;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static String reading(Path path) {
    try {
      return Files.exists(path) ? Files.readString(path) : null;
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** Whole or not at all, whenever the process ends. */
  private void replace(Path path, String text) {
    Path beside = path.resolveSibling(path.getFileName() + ".new");
    try {
      Files.createDirectories(folder);
      try (FileChannel channel =
          FileChannel.open(
              beside,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING)) {
        write(channel, text);
      }
      Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  private static void write(FileChannel channel, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) channel.write(bytes);
    channel.force(false);
  }
}

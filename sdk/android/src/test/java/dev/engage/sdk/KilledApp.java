package dev.engage.sdk;

import java.nio.file.Path;

/** An app on real storage, time and network: it tracks and waits to be killed, or sends the rest. */
public final class KilledApp {
  private KilledApp() {}

  public static void main(String[] words) throws Exception {
    Engage engage = new Engage(new JvmPlatform(Path.of(words[0])));
    engage.init(words[1], words[2]).join();
    if (words[3].equals("track")) {
      for (int n = 0; n < 30; n++) System.out.println(engage.track("kept").join());
      System.out.println("stored");
      Thread.currentThread().join();
    }
    System.out.println(engage.login("noa").join().externalUserId());
    engage.flush().join();
  }
}

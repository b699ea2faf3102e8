package io.spillway.testing.internal;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Function;

/** Draws from a list so that each kind of thing in it is there, the same for the same seed. */
final class Selection {
  private Selection() {}

  /**
   * Takes turns among the strata: of each its first, its last, then others at random.
   *
   * @param all at least as many as wanted
   * @param stratum what kind a thing is of
   * @return as many as wanted, in the order of {@code all}
   */
  static <T> List<T> draw(List<T> all, Function<T, Object> stratum, int wanted, long seed) {
    Map<Object, List<Integer>> strata = new LinkedHashMap<>();
    for (int i = 0; i < all.size(); i++) {
      strata.computeIfAbsent(stratum.apply(all.get(i)), key -> new ArrayList<>()).add(i);
    }
    Random random = new Random(seed);
    List<List<Integer>> queues = new ArrayList<>();
    for (List<Integer> places : strata.values()) {
      queues.add(queue(places, random));
    }
    // Where there is not a turn for every stratum, the seed says who gets one.
    Collections.shuffle(queues, random);
    Collection<Integer> drawn = new TreeSet<>();
    for (int turn = 0; drawn.size() < wanted; turn++) {
      for (List<Integer> queue : queues) {
        if (turn < queue.size() && drawn.size() < wanted) {
          drawn.add(queue.get(turn));
        }
      }
    }
    return drawn.stream().map(all::get).toList();
  }

  private static List<Integer> queue(List<Integer> places, Random random) {
    List<Integer> queue = new ArrayList<>();
    queue.add(places.get(0));
    if (places.size() > 1) {
      queue.add(places.get(places.size() - 1));
      List<Integer> others = new ArrayList<>(places.subList(1, places.size() - 1));
      Collections.shuffle(others, random);
      queue.addAll(others);
    }
    return queue;
  }
}

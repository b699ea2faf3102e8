package io.spillway.plugin;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.spark.SparkConf;
import scala.Tuple2;

/** Settings that look like ours and are none: Spark itself says nothing of a misspelt one. */
final class UnknownSettings {
  private static final String PREFIX = "spark.spillway.";

  /** The chaos agent's, which may be there without anything else of ours. */
  private static final String CHAOS_PREFIX = "spark.spillway.chaos.";

  private UnknownSettings() {}

  /** A sentence for each of them, in the order of their names, with the nearest one that exists. */
  static List<String> in(SparkConf conf) {
    List<String> known = SpillwaySettings.table().stream().map(s -> s.key()).toList();
    List<String> sentences = new ArrayList<>();
    Arrays.stream(conf.getAll())
        .map(Tuple2::_1)
        .filter(key -> key.startsWith(PREFIX) && !key.startsWith(CHAOS_PREFIX))
        .filter(key -> !known.contains(key))
        .sorted()
        .forEach(key -> sentences.add(sentence(key, known)));
    return sentences;
  }

  private static String sentence(String key, List<String> known) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    String nearest =
        known.stream()
            .min(Comparator.comparingInt(each -> distance.apply(key, each)))
            .orElseThrow();
    return key + " is no setting of Spillway and does nothing; the nearest is " + nearest;
  }
}

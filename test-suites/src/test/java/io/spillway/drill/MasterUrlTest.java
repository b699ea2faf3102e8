package io.spillway.drill;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterUrlTest {
  @Test
  void shouldAllowRetriesWhenALocalMasterSaysNothingOfThem() {
    assertThat(MasterUrl.parse("local").url()).isEqualTo("local[1,4]");
    assertThat(MasterUrl.parse("local[2]").url()).isEqualTo("local[2,4]");
    assertThat(MasterUrl.parse("local[*]").url()).isEqualTo("local[*,4]");
    assertThat(MasterUrl.parse("local[2, 3]").url()).isEqualTo("local[2,3]");
  }

  @Test
  void shouldShareTheWorkersMemoryWhenItHasSeveralCores() {
    MasterUrl master = MasterUrl.parse("local-cluster[2, 2, 2048]");

    assertThat(master.url()).isEqualTo("local-cluster[2,2,2048]");
    assertThat(master.executorHeapMiB()).isEqualTo(1024);
    assertThat(master.slots()).isEqualTo(4);
    assertThat(master.isLocal()).isFalse();
  }

  @Test
  void shouldKnowWhenTasksCompeteForOneExecutor() {
    assertThat(MasterUrl.parse("local[1,4]").sharesExecutor()).isFalse();
    assertThat(MasterUrl.parse("local[2,4]").sharesExecutor()).isTrue();
    assertThat(MasterUrl.parse("local[*]").sharesExecutor()).isTrue();
    assertThat(MasterUrl.parse("local-cluster[2,1,1024]").sharesExecutor()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"yarn", "spark://host:7077", "spark://a:7077,b:7077", "k8s://https://host:443"})
  void shouldTakeTheUrlAsItIsWhenTheClusterWasThereBefore(String url) {
    assertThat(MasterUrl.parse(url).url()).isEqualTo(url);
    assertThat(MasterUrl.parse(url).kind()).isEqualTo(MasterUrl.Kind.REMOTE);
  }
}

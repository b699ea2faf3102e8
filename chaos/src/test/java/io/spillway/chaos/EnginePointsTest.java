package io.spillway.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.rapids.cudf.Rmm;
import com.nvidia.spark.rapids.jni.GpuRetryOOM;
import java.nio.file.Path;
import org.apache.gluten.memory.listener.ManagedReservationListener;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The points of engines that are not to be had, over stand-in seams: hence unverified. */
class EnginePointsTest {
  private static final long SEED = 7;

  @TempDir Path out;

  @AfterEach
  void disarm() {
    ChaosAgent.uninstall();
  }

  @Test
  void shouldGrantLessOrNothingWhenGlutenReserves() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: gluten.reserve, fault: {short-grant: {share: 0.25}}, when: {nth: 2}, where:"
                + " {outsideTask: true}}",
            "{point: gluten.reserve, fault: {short-grant: {share: 0}}, when: {nth: 3}, where:"
                + " {outsideTask: true}, limits: {perTask: 2}}");
    ManagedReservationListener pool = new ManagedReservationListener();
    assertThat(pool.reserve(1000)).isEqualTo(1000);
    assertThat(pool.reserve(1000)).isEqualTo(250);
    assertThat(pool.reserve(1000)).isZero();
    assertThat(pool.asked()).isEqualTo(1250);
    assertThat(chaos.point(FaultPoint.GLUTEN_RESERVE).fired()).isEqualTo(2);
    assertThat(FaultPoint.GLUTEN_RESERVE.isVerified()).isFalse();
  }

  @Test
  void shouldThrowTheAcceleratorsOwnExceptionWhenDeviceMemoryIsOut() {
    ChaosController chaos =
        ChaosFixture.arm(
            out,
            SEED,
            "{point: rapids.alloc, fault: out-of-memory, when: {nth: 2}, where: {outsideTask:"
                + " true}}");
    assertThat(Rmm.alloc(64).bytes()).isEqualTo(64);
    assertThatThrownBy(() -> Rmm.alloc(64))
        .isExactlyInstanceOf(GpuRetryOOM.class)
        .hasMessageContaining("injected: rapids.alloc, call 2");
    assertThat(Rmm.alloc(64).bytes()).isEqualTo(64);
    assertThat(chaos.point(FaultPoint.RAPIDS_ALLOC).reached()).isEqualTo(3);
    assertThat(FaultPoint.RAPIDS_ALLOC.isVerified()).isFalse();
  }
}

package io.spillway.chaos.internal.install;

import io.spillway.chaos.Seam;
import io.spillway.chaos.internal.dispatch.Dispatcher;
import io.spillway.chaos.internal.dispatch.PointState;
import java.security.ProtectionDomain;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.description.type.TypeDescription;
import net.bytebuddy.dynamic.DynamicType;
import net.bytebuddy.utility.JavaModule;

/**
 * Puts a point's advice into one of its seams, if the seam is what the catalogue expects. If not,
 * the point is disarmed and the class stays as it is: a guess would inject into the wrong method.
 */
final class SeamTransformer implements AgentBuilder.Transformer {
  private final PointState state;
  private final Seam seam;

  SeamTransformer(PointState state, Seam seam) {
    this.state = state;
    this.seam = seam;
  }

  @Override
  public DynamicType.Builder<?> transform(
      DynamicType.Builder<?> builder,
      TypeDescription type,
      ClassLoader loader,
      JavaModule module,
      ProtectionDomain domain) {
    String problem = SeamMatch.problem(type, seam);
    if (problem == null && loader == null && !JdkGate.isThere()) {
      problem = "the JDK's classes cannot see the agent's gate";
    } else if (problem == null && loader != null && !seesDispatcher(loader)) {
      problem = "the class loader of " + seam.className() + " cannot see the agent's classes";
    }
    if (problem != null) {
      state.disarm(problem);
      return builder;
    }
    state.setInstrumented();
    return builder.visit(
        Advice.to(AdviceCatalogue.of(state.point(), seam)).on(SeamMatch.methods(seam)));
  }

  private static boolean seesDispatcher(ClassLoader loader) {
    try {
      return Class.forName(Dispatcher.class.getName(), false, loader) == Dispatcher.class;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }
}

package io.spillway.testing.internal;

import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects the managed {@code SparkSession}, which ends with its class: others may use Spark too.
 */
public final class SessionResolver implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(SessionResolver.class);
  private static final String KEY = "session";

  /** For JUnit. */
  public SessionResolver() {}

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == SparkSession.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return session(context).spark();
  }

  /** The session with the settings of the context's class; one with others is stopped. */
  static synchronized ManagedSession session(ExtensionContext context) {
    ExtensionContext outermost = context;
    for (ExtensionContext each = context;
        each.getTestClass().isPresent();
        each = each.getParent().orElseThrow()) {
      outermost = each;
    }
    Store store = outermost.getStore(NAMESPACE);
    Held held = store.get(KEY, Held.class);
    if (held == null) {
      held = new Held();
      store.put(KEY, held);
    }
    return held.with(SessionSettings.of(context.getRequiredTestClass()));
  }

  /** Closed by JUnit when the class has ended. */
  private static final class Held implements AutoCloseable {
    private ManagedSession session;

    ManagedSession with(SessionSettings settings) {
      if (session != null && (session.isStopped() || !session.settings().equals(settings))) {
        close();
      }
      if (session == null) {
        session = ManagedSession.open(settings);
      }
      return session;
    }

    @Override
    public void close() {
      ManagedSession ending = session;
      session = null;
      ArmedAgent.release();
      if (ending != null) {
        ending.close();
      }
    }
  }
}

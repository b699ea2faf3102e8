package io.spillway.testing.internal;

import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects the managed {@code SparkSession}, which ends with its class: others may use Spark too. A
 * JVM has one Spark, so whoever asks takes it from a class that has not ended yet, which gets a new
 * one when it asks again.
 */
public final class SessionResolver implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(SessionResolver.class);
  private static final String KEY = "session";

  /** The Spark of this JVM and whose it is; null: none. */
  private static ManagedSession open;

  private static Holder holder;

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
    Holder asking = store.get(KEY, Holder.class);
    if (asking == null) {
      asking = new Holder();
      store.put(KEY, asking);
    }
    SessionSettings settings = SessionSettings.of(context.getRequiredTestClass());
    if (open == null || holder != asking || open.isStopped() || !open.settings().equals(settings)) {
      if (open != null) {
        end();
      }
      open = ManagedSession.open(settings);
      holder = asking;
    }
    return open;
  }

  private static synchronized void endOf(Holder ending) {
    // Without a session the agent is nobody's: it may have been attached and Spark not started.
    if (holder == ending || open == null) {
      end();
    }
  }

  private static void end() {
    ManagedSession ending = open;
    open = null;
    holder = null;
    ArmedAgent.release();
    if (ending != null) {
      ending.close();
    }
  }

  /** Stands for a class. Closed by JUnit when the class has ended. */
  private static final class Holder implements AutoCloseable {
    @Override
    public void close() {
      endOf(this);
    }
  }
}

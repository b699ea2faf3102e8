package io.spillway.resilience.process;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.master.Master;
import org.apache.spark.deploy.worker.Worker;
import org.apache.spark.rpc.RpcEnv;
import scala.Option;
import scala.Tuple3;

/**
 * A standalone cluster whose two workers have addresses of their own on this machine's loopback:
 * Spark never runs a speculative attempt on the host of the other, and {@code local-cluster} has
 * one host only.
 */
final class TwoHosts implements AutoCloseable {
  private static final List<String> HOSTS = List.of("127.0.0.1", "127.0.0.2");
  private static final int WORKER_MIB = 1024;

  private final List<RpcEnv> started = new ArrayList<>();
  private final String master;

  /** Starts master and workers. The caller closes them once Spark is stopped. */
  TwoHosts(SparkConf applicationConf) {
    SparkConf conf = applicationConf.clone().set("spark.master.rest.enabled", "false");
    Tuple3<RpcEnv, Object, Option<Object>> env =
        Master.startRpcEnvAndEndpoint(HOSTS.get(0), 0, 0, conf);
    started.add(env._1());
    master = "spark://" + env._1().address().hostPort();
    for (int i = 0; i < HOSTS.size(); i++) {
      started.add(
          Worker.startRpcEnvAndEndpoint(
              HOSTS.get(i),
              0,
              0,
              1,
              WORKER_MIB,
              new String[] {master},
              null,
              Option.<Object>apply(i + 1),
              conf,
              Option.empty()));
    }
  }

  String master() {
    return master;
  }

  @Override
  public void close() {
    Collections.reverse(started);
    for (RpcEnv env : started) {
      env.shutdown();
      env.awaitTermination();
    }
  }
}

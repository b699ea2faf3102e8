package io.spillway.plan;

import io.spillway.expression.Program;
import io.spillway.expression.UnsupportedException;
import io.spillway.operator.NativeProjectExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.SparkPlan;

/** Projections. */
final class ProjectCompiler implements NodeCompiler {
  @Override
  public boolean matches(SparkPlan node) {
    return node instanceof ProjectExec;
  }

  @Override
  public OperatorSwitch toggle() {
    return OperatorSwitch.PROJECT;
  }

  @Override
  public Replacement compile(SparkPlan node, Planning planning) throws UnsupportedException {
    ProjectExec project = (ProjectExec) node;
    Program program = planning.compile(project.projectList(), Replacement.output(project.child()));
    return Replacement.keepingOrder(
        project.child(), child -> new NativeProjectExec(project.projectList(), program, child));
  }
}

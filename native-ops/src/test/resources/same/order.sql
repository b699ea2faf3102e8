-- is ordered
select n, d from num order by d, n;
-- is ordered
select n, d from num order by d desc nulls first, n desc;
-- is ordered
select n, f from num order by f asc nulls last, n;
-- is ordered
select n, f, l from num order by f desc, l nulls last, n;
-- is ordered
select n, t from txt order by t, n;
-- is ordered
select n, t from txt order by t desc nulls first, n;
-- is ordered
select n, cast(t as binary) as b from txt order by b, n;
-- is ordered
select n from txt order by length(t), upper(t) desc, n;
-- is ordered
select n, d38, w from num order by d38 desc, w, n;
-- is ordered
select n from num order by b desc nulls last, s asc nulls first, i, n;
-- is ordered
select n from dat order by d desc, ts, n;
-- is ordered
select id, sk from big order by sk desc nulls first, id limit 50;
-- is ordered
select id, d from big order by d, id limit 100 offset 30;
-- is ordered
select id from big order by id offset 4990;
-- is jvm
-- is ordered
select id from big order by id limit 0;
-- is ordered
select id from big order by k, flag desc, g, id;
-- is ordered
-- set spark.sql.shuffle.partitions=1
select id from big order by sk, id desc;
-- is ordered
-- set spark.sql.shuffle.partitions=200
select id from big order by sk, id desc;
-- is ordered
-- set spark.sql.execution.topKSortFallbackThreshold=5
select id, sk from big order by sk desc, id limit 50;
-- is ordered
-- set spark.sql.execution.topKSortFallbackThreshold=5
-- set spark.sql.adaptive.coalescePartitions.enabled=false
select * from (select id, sk from big order by sk desc, id limit 50) where id > 100 order by id;
-- set spark.sql.execution.topKSortFallbackThreshold=5
-- set spark.sql.adaptive.coalescePartitions.enabled=false
select count(*), sum(id), min(id) from (select id from big order by sk desc, id limit 50);
-- set spark.sql.execution.topKSortFallbackThreshold=5
-- set spark.sql.shuffle.partitions=20
select k, count(*), sum(id) from (select id, k from big order by g desc, id desc limit 333) group by k;
-- set spark.sql.adaptive.coalescePartitions.enabled=false
select count(*), sum(id), min(id) from (select id from big order by g desc, id offset 10);
-- set spark.sql.shuffle.partitions=20
select sum(id), count(*) from (select id, k from big order by d desc, id desc limit 100 offset 77);
-- set spark.sql.shuffle.partitions=20
select l.k, x.id from l join (select id, k from big order by sk, id offset 4800) x on l.k = x.k;
-- is ordered
select * from (select id, k from big where k = 1 order by id desc limit 20) order by id;
select count(*) from (select id from big limit 77);
select count(*) from (select id from big limit 77 offset 70);
select count(*) from (select id from big offset 4999);
select count(*) from (select * from big limit 0);
select count(*) from (select k from big group by k limit 3);
-- is ordered
select k, c, rank() over (order by c desc) as r from (select k, count(*) as c from big group by k) order by r, k;
-- is ordered
select id, sum(g) over (partition by k order by id) as x from big order by k, id;
-- is ordered
select a.id, b.id2 from bucketed a join bucketed2 b on a.k = b.k order by a.id, b.id2;
-- is ordered
select /*+ merge(b) */ a.id, b.id2, a.k from bucketed a join bucketed2 b on a.k = b.k order by a.k, a.id, b.id2;
-- is ordered
-- set spark.sql.shuffle.partitions=1
select a.k, count(*), max(a.s) from bucketed a join bucketed2 b on a.k = b.k group by a.k order by a.k;
-- is ordered
-- set spark.sql.shuffle.partitions=1
-- set spark.sql.autoBroadcastJoinThreshold=-1
select a.k, b.k, a.id from bucketed a join bucketed2 b on a.k = b.k where a.id % 100 = b.id2 order by a.k, b.k, a.id;
-- is ordered
-- set spark.sql.shuffle.partitions=1
-- set spark.sql.autoBroadcastJoinThreshold=-1
select distinct a.k from bucketed a join bucketed2 b on a.k = b.k order by a.k;
-- is ordered
-- set spark.sql.shuffle.partitions=1
-- set spark.sql.autoBroadcastJoinThreshold=-1
select a.k from bucketed a left semi join bucketed2 b on a.k = b.k order by a.k;
-- is ordered
select * from (select id from big order by id limit 5) union all select * from (select id from big order by id desc limit 5) order by id;
-- is ordered
select /*+ repartition_by_range(4, id) */ id from big where k = 2 order by id;
select max(id) from (select /*+ repartition(7) */ id from big);
select max(id), count(*) from (select /*+ repartition(7, k) */ id from big);
select count(*), sum(id) from (select /*+ coalesce(2) */ id from big);
select count(*), sum(id) from (select /*+ rebalance(k) */ id, k from big);
select * from (select id, 'a' as x from big where id < 3 union all select null, 'b' union all select n, cast(d as string) from num);
select b from num union all select l from num;
select b, count(*) from (select b from num union all select d5 from num union all select f from num) group by b;
select x, count(*) from (select cast(1 as decimal(5,2)) as x union all select 1 union all select 2.5D) group by x;
select * from num union select * from num;
select id, k from big where id < 10 union all select id, null from nest where id < 3;
select count(*) from big tablesample (100 percent);
select k, g from big where id < 0 group by k, g;
select explode(array(id, id + 1)) as x, k from big where id < 20;
select k, count(*) from (select explode(array(k, g)) as k from big) group by k;
-- is jvm
select id, x from nest lateral view outer explode(ar) e as x where id < 5;

select * from l join r on l.k = r.k;
select * from l left join r on l.k = r.k;
select * from l right join r on l.k = r.k;
select * from l full join r on l.k = r.k;
select * from l left semi join r on l.k = r.k;
select * from l left anti join r on l.k = r.k;
select * from l join r on l.d = r.d;
select * from l full join r on l.d = r.d;
select * from l left anti join r on l.d = r.d;
select * from l join r on -l.d = r.d;
select * from l join r on l.d <=> r.d;
select * from l full join r on l.k <=> r.k and l.s <=> r.s;
select * from l left join r on l.k <=> r.k;
select * from l full join r on l.k = r.k and l.d < r.d;
select * from l left join r on l.k = r.k and l.s > 'a' and r.d > 0;
select * from l right join r on l.k = r.k and l.s is not null;
select * from l full join r on l.k = r.k and l.s = 'a' and r.s <> 'a';
select * from l left semi join r on l.k = r.k and l.d <> r.d;
select * from l left anti join r on l.k = r.k and l.d <> r.d;
-- is jvm
select * from l full join r on l.k = r.k and false;
-- is jvm
select * from l full join r on l.k = r.k + 1 or l.k = r.k;
select * from l where k in (select k from r);
select * from l where k not in (select k from r);
select * from l where k not in (select k from r_no_null);
select * from l where k not in (select k from r where k is not null);
select * from l where k not in (select k from nothing);
select * from nothing where k not in (select k from r);
select * from l where d not in (select d from r where d is not null);
-- is jvm
select * from l where (k, s) not in (select k, s from r);
select * from l where (k, s) in (select k, s from r);
select * from l where k in (select k from r) or s = 'd';
-- is jvm
select * from l where k not in (select k from r_no_null) or s is null;
select * from l where exists (select 1 from r where r.k = l.k) or l.d > 1;
select *, exists (select 1 from r where r.k = l.k and r.d > 0) as e from l;
select *, k in (select k from r) as e, k not in (select k from r_no_null) as f from l;
select * from l where exists (select 1 from r where r.k = l.k and r.s > l.s);
select * from l where not exists (select 1 from r where r.k <=> l.k);
select * from l where d > (select max(d) from r where r.k = l.k);
select *, (select count(*) from r where r.k = l.k) as c, (select max(s) from r where r.k = l.k) as m from l;
select * from l join nothing on l.k = nothing.k;
select * from l left join nothing on l.k = nothing.k;
select * from l full join nothing on l.k = nothing.k;
select * from nothing full join r on nothing.k = r.k;
select * from l left anti join nothing on l.k = nothing.k;
select count(*) from l join r on l.k = r.k;
select count(*) from l cross join r;
-- is jvm
select * from l cross join r;
select l.k, r.k from l, r where l.k < r.k;
select count(*) from l a join l b on a.k = b.k join l c on b.k = c.k;
select a.*, b.* from l a join l b on a.k = b.k and a.s <> b.s;
select a.k as k, b.k as k, a.s as s from l a left join l b on a.s = b.s;
select * from l join r using (k);
select * from l full join r using (k);
select * from l natural join r;
select * from l join lateral (select max(s) as m from r where r.k = l.k);
select l.s, r.s from l join r on upper(l.s) = upper(r.s);
-- is jvm
select * from l join r on cast(l.k as string) = r.s or l.k = r.k;
select * from l join r on l.k + 0.5 = r.k + 0.5;
select * from l join r on cast(l.k as decimal(20, 2)) = cast(r.k as decimal(30, 5));
select * from l join num on l.k = num.b;
select * from num a join num b on a.d38 = b.d38;
select * from num a join num b on a.f = b.d;
select * from num a full join num b on a.b = b.s and a.l > b.l;
select a.n, b.n from txt a join txt b on a.t = b.t;
select a.n, b.n from txt a join txt b on upper(a.t) = lower(b.t);
select a.n, b.n from txt a full join txt b on a.t = b.t and a.n < b.n;
select a.n, b.n from dat a join dat b on a.d = cast(b.ts as date);
select a.n, b.n from dat a full join dat b on a.ts = b.ts and a.nt = b.nt;
select a.k, count(*), sum(a.id), sum(b.id) from big a join big b on a.g = b.g and a.id < b.id group by a.k;
select count(*), count(a.id), count(b.id), sum(a.id), sum(b.id) from big a full join bucketed b on a.id = b.id * 3;
select a.nk, count(*), count(b.sk) from big a left join (select nk, max(sk) as sk from big group by nk) b on a.nk = b.nk group by a.nk;
select count(*) from big a left semi join big b on a.nk = b.nk and a.sk <> b.sk;
select count(*) from big a left anti join big b on a.nk = b.g;
select count(*), sum(x.id) from (select * from bucketed join bucketed2 using (k)) x;
select k, count(*) from bucketed group by k;
select * from (select k, count(*) as c from bucketed group by k) a join (select k, count(*) as e from bucketed2 group by k) b using (k);
select /*+ merge(r) */ * from l join r on l.k = r.k;
select /*+ merge(r) */ * from l full join r on l.k = r.k and l.s <> r.s;
select /*+ merge(r) */ * from l left join r on l.d = r.d;
select /*+ shuffle_hash(l) */ * from l join r on l.d = r.d;
select /*+ shuffle_hash(r) */ * from l full join r on l.k = r.k;
select /*+ shuffle_hash(l) */ * from l full join r on l.k = r.k and r.s <> 'x';
select /*+ shuffle_hash(l) */ * from l left join r on l.k = r.k;
select /*+ shuffle_hash(r) */ * from l right join r on l.k = r.k and l.d > 0;
select /*+ shuffle_hash(r) */ * from l left anti join r on l.k = r.k;
select /*+ shuffle_replicate_nl(r) */ * from l join r on l.k = r.k;
select /*+ broadcast(l) */ * from l right join r on l.k = r.k;
select /*+ broadcast(l) */ * from l join r on l.s = r.s;
-- set spark.sql.autoBroadcastJoinThreshold=-1
select * from l where k not in (select k from r_no_null);
-- set spark.sql.autoBroadcastJoinThreshold=-1
select *, exists (select 1 from r where r.k = l.k) as e from l;
-- set spark.sql.autoBroadcastJoinThreshold=-1
select count(*), sum(a.id) from big a full join big b on a.id = b.id + 100 and a.k = b.k;
-- set spark.sql.autoBroadcastJoinThreshold=-1
select a.k, b.g, sum(a.dec), max(b.sk) from big a left join big b on a.nk = b.id group by a.k, b.g;
-- set spark.sql.autoBroadcastJoinThreshold=-1
select count(*) from big a join big b on a.sk = b.sk join bucketed c on b.k = c.k where c.id < 9;
-- set spark.sql.autoBroadcastJoinThreshold=-1
-- set spark.sql.adaptive.coalescePartitions.enabled=false
-- set spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes=1
-- set spark.sql.adaptive.skewJoin.skewedPartitionFactor=0.1
-- set spark.sql.adaptive.advisoryPartitionSizeInBytes=1000
select a.flag, count(*), sum(a.id), sum(b.id) from big a left join big b on a.k = b.k and a.id + 1 = b.id group by a.flag;
-- set spark.sql.autoBroadcastJoinThreshold=-1
-- set spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes=1
-- set spark.sql.adaptive.skewJoin.skewedPartitionFactor=0.1
-- set spark.sql.adaptive.advisoryPartitionSizeInBytes=1000
select count(*), sum(a.id), sum(b.id) from big a right join big b on a.k = b.k and a.id + 1 = b.id;
select * from part where dt in (select date'2020-01-01' from l where l.k = 1) and q is not null;
select part.v, l.s from part join l on part.q = l.k where l.s = 'a';
select count(*) from part join (select distinct q as k from part where v < 7) x on part.q = x.k;
select p, sum(v) from part join r on part.q = r.k and r.s <> 'z' group by p;
select nest.id, st.b.c, ar, m, r.s from nest join r on nest.k = r.k;
select nest.id, x.c from nest join (select k, count(*) as c from r group by k) x on nest.k = x.k where size(ar) > 1;
-- is jvm
select a.id, b.id from nest a join nest b on a.st = b.st;
with x as (select k, count(*) as c from big group by k) select a.k, b.c from x a join x b on a.k = b.k + 1;
with x as (select id, g from big where flag) select count(*) from x where g > (select avg(g) from x);
with recursive_like as (select 1 as n union all select 2) select * from recursive_like join num using (n);

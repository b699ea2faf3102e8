select d, count(*) from num group by d;
select f, count(*), min(n), max(n) from num group by f;
select distinct f from num;
select distinct d, f from num;
select -d as x, count(*) from num group by 1;
select if(d = 0, d, -d) as x, count(*), collect_list(n) is null from num group by if(d = 0, d, -d);
select min(d), max(d), min(f), max(f), min(-d), max(-f) from num;
select k, min(d), max(d), min(-d), max(-d) from big group by k;
select count(distinct d), count(distinct f), count(distinct -d), count(distinct d, f) from num;
select d, f, b, s, i, l, d5, d18, d38, w, count(*) from num group by d, f, b, s, i, l, d5, d18, d38, w;
select sum(l), sum(i), sum(s), sum(b), avg(l), avg(i), avg(b), sum(l) - 1 from num;
select sum(9223372036854775807L), avg(9223372036854775807L) from big;
select k, sum(9223372036854775807L), avg(9223372036854775807L) from big group by k;
-- is jvm
select sum(d38), avg(d38), sum(w), avg(w), min(d38), max(w) from num;
select n % 2, sum(d38), avg(d38), sum(w), avg(w), sum(d18), avg(d18), sum(d5), avg(d5) from num group by n % 2;
-- is jvm
select sum(x), avg(x) from (select /*+ coalesce(1) */ cast(c as decimal(38, 0)) as x from values ('90000000000000000000000000000000000000'), ('90000000000000000000000000000000000000'), ('-90000000000000000000000000000000000000') as t(c));
select k, sum(x), avg(x) from (select /*+ coalesce(1) */ 1 as k, cast(c as decimal(38, 0)) as x from values ('90000000000000000000000000000000000000'), ('90000000000000000000000000000000000000'), ('-90000000000000000000000000000000000000') as t(c)) group by k;
-- is jvm
select sum(d38) filter (where n in (10, 11)), avg(d38) filter (where n in (10, 11)) from num;
select sum(x) from (select d38 as x from num where n in (10, 11) union all select -d38 from num where n = 11);
-- is jvm
select avg(x) from (select /*+ coalesce(1) */ cast('999999999999999999999999' as decimal(38, 10)) as x from range(20000));
-- is jvm
select avg(x), sum(x) from (select cast('999999999999999999999999' as decimal(38, 10)) as x from range(0, 20000, 1, 4));
-- is sums
select sum(d), avg(d), stddev(d), var_pop(d), sum(f), avg(f), stddev_samp(f), var_samp(l), stddev_pop(i) from num;
-- is sums
select n, stddev(d), stddev_samp(f), var_samp(i), var_pop(l), stddev_pop(i), stddev(null) from num group by n;
-- set spark.sql.legacy.statisticalAggregate=true
select n, stddev(d), stddev_samp(f), var_samp(i), var_pop(l) from num group by n;
select sum(k), count(*), count(k), min(s), max(d), avg(k), stddev(d), first(k), last(s), any_value(d), bit_and(k), bool_or(k > 0) from nothing;
select k, sum(k), count(*) from nothing group by k;
select count(*) from nothing;
-- is jvm
select count(*), count(1), count(null), sum(1), sum(null), max(null) from num;
select 1 from num group by 1;
select 'a' from nothing group by 'a';
select n from num group by n having count(*) > 1 or max(d) > 1;
select count(*) from num having count(*) > 100;
-- is jvm
select max(n) from num having false;
select bit_and(l), bit_or(l), bit_xor(l), bit_and(b), bit_xor(s), bit_or(i), bool_and(n > 0), bool_or(n > 5), every(i > 0), some(l is null) from num;
select n % 3, bit_and(l), bit_or(b), bit_xor(i), bool_and(i > 0), some(i > 0), count_if(i > 0) from num group by n % 3;
select k, count(*) filter (where flag), sum(id) filter (where id > 100 and flag), avg(dec) filter (where false), min(st) filter (where id % 2 = 1), count(st) filter (where st > '5'), count(distinct g) filter (where flag), first(id) filter (where false) is null from big group by k;
select count(distinct k), count(distinct g) filter (where flag), sum(distinct g), count(*), max(sk), avg(distinct nk), min(d) from big;
select k, count(distinct sk), count(distinct nk, g), sum(dec), max(sk) from big group by k;
select k, count(distinct sk, nk), sum(distinct nk), count(distinct d) from big group by k;
select k, sum(distinct dec), avg(distinct dec), count(*) from big group by k;
select k, nk, grouping(k), grouping_id(k, nk), count(*), sum(dec), max(sk) from big group by rollup(k, nk);
select k, nk, flag, grouping_id(), count(*), count(distinct g) from big group by cube(k, nk, flag);
select k, sk, count(*), grouping(sk) from big group by grouping sets ((k), (sk), (), (k, sk), (k));
select nk, count(*) from big group by rollup(nk) having nk is null;
select sk, nk, count(*) from big group by sk, nk;
select day, count(*), min(ts), max(ts), min(day), sum(id) from big group by day;
select date_trunc('month', ts), count(*) from big group by 1;
select substring(sk, 1, 5), count(*) from big group by 1;
select dec, count(*), sum(dec), avg(dec) from big group by dec;
select st, count(*), min(st), max(st) from big group by st;
select t, count(*), min(t), max(t), length(max(t)) from txt group by t;
select min(t), max(t), min(cast(t as binary)), max(cast(t as binary)) from txt;
select distinct cast(t as binary) from txt;
select upper(t), count(*), count(distinct t), min(n) from txt group by upper(t);
select length(t), min(t), max(t), count(distinct t) from txt group by length(t);
select k, first(g) is null, last(sk, true) is not null from big group by k;
select k % 2, sum(c) from (select k, g, count(*) as c from big group by k, g) group by k % 2;
select k, sum(x) from (select k, max(id) as x from big group by k, g) group by k having sum(x) > 10 order by k;
select count(*) from (select distinct k, g, nk from big);
select count(*) from (select k from big union select g from big);
select k from big intersect select nk from big;
select nk from big except select k from big;
select nk from big intersect all select k from big;
select g from big except all select g from big where flag;
select d from big intersect select d from num;
-- is jvm
select mode(k) is not null, percentile(id, 0.5), approx_count_distinct(g) > 0, collect_set(k) is not null, count(*) from big;
-- is sums
-- is jvm
select k, corr(id, g), covar_pop(id, g), count(*) from big group by k;
select k, max_by(sk, id), min_by(id, g * 10000 + id), count(*) from big group by k;
select k, sum(case when flag then 1 else 0 end), sum(if(g > 500, dec, 0)), sum(cast(flag as int)), max(flag), min(flag) from big group by k;
select a1, count(*) from (select k as a1, k as a2, k as a3 from big) group by a1, a2, a3;
select k + 1 as k, sum(k) as s, sum(k) + count(*) as t, k + 2 as u from big group by k;
select * from big pivot (count(id) for k in (0, 1, 2));
select k, count(*) c from big group by k order by c desc, k limit 3;
select id, sum(g) over (partition by k order by id rows between 2 preceding and 1 following) as x from big where id in (select max(id) from big group by k);
select sum(v), count(*), count(x) from part group by p;
select p, q, dt, count(*), sum(v) from part group by p, q, dt;
select count(*) from part where p is null;
select count(p), count(q), count(dt), max(p), min(q), max(dt) from part;
select distinct q from part;
-- set spark.sql.codegen.wholeStage=false
select k, sum(dec), avg(dec), count(distinct sk) from big group by k;
-- set spark.sql.execution.useObjectHashAggregateExec=false
select k, max(sk), min(st) from big group by k;
-- set spark.sql.execution.replaceHashWithSortAgg=true
select k, sum(g), max(sk) from (select /*+ merge(b) */ a.k, a.g, a.sk from big a join bucketed b on a.k = b.k where b.id < 20) group by k;
-- set spark.sql.execution.replaceHashWithSortAgg=true
-- is ordered
select k, sum(g) from big group by k order by k;

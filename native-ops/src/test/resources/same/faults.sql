-- Queries whose results were not Spark's once.

-- A sum of all rows may pass what a decimal holds on the way, and come back.
select sum(x) from (select /*+ coalesce(1) */ cast(c as decimal(38, 0)) as x from values ('90000000000000000000000000000000000000'), ('90000000000000000000000000000000000000'), ('-90000000000000000000000000000000000000'), ('-1') as t(c));
select sum(x), count(*) from (select cast('-99999999999999999999999999999999999999' as decimal(38, 0)) as x from range(0, 100, 1, 1));
select sum(d38), sum(w), sum(d38) filter (where n in (10, 11)) from num;
-- One group by a key may not.
select k, sum(x) from (select /*+ coalesce(1) */ id % 1 as k, cast('90000000000000000000000000000000000000' as decimal(38, 0)) * (1 - 2 * (id div 2)) as x from range(0, 4, 1, 1)) group by k;
-- is jvm
select avg(x) from (select /*+ coalesce(1) */ cast('999999999999999999999999' as decimal(38, 10)) as x from range(20000));

-- Decimals of negative scale.
-- set spark.sql.legacy.allowNegativeScaleOfDecimal=true
-- is jvm
select x, cast(x as int), cast(x as bigint), cast(x as double), cast(x as string), x + 1, x / 3, round(x, -4), ceil(x), x > 5 from (select n, i * 1E3BD as x from num) where n > 0;

-- Products and quotients are rounded once.
-- set spark.sql.decimalOperations.allowPrecisionLoss=false
select a.n, c.n, a.w / c.w, a.w * c.w, a.w / c.d18 from num a join num c on a.n * 0 = c.n * 0;
-- set spark.sql.decimalOperations.allowPrecisionLoss=false
select cast(n as decimal(38, 20)) / 3 / 10000000000000000000BD, (0.5 + 0 * n) / 1000000000000000000.0000000001BD from num where n > 1;
select n % 3, avg(cast(d5 as decimal(5, 2)) / 7), avg(w * 0.3333333333333333333), avg(cast(n / 1e17 as decimal(30, 30))) from num group by n % 3;

-- The name of the file that a row is of, above operators that take many rows at a time.
select regexp_extract(input_file_name(), 'part-[0-9]+', 0), count(*), sum(id), min(id) from csvs where k in (select k from r) group by 1;
select regexp_extract(f, 'part-[0-9]+', 0), count(*), sum(id) from (select input_file_name() as f, id from big where id % 3 = 1) group by 1;

-- A condition of a join that makes long strings of each pair.
select /*+ merge(y) */ count(*) from (select id % 3 as k, id, repeat(cast(id as string), 3000) as t from range(0, 300, 1, 2)) x left join (select id % 3 as k, id, repeat('z', 5000) as u from range(0, 300, 1, 2)) y on x.k = y.k and concat(x.t, y.u) > concat('5', y.u);
-- Distinct aggregates of several long strings.
select count(distinct concat(t, 'a')), count(distinct concat('b', t)), count(distinct upper(t)) from (select repeat(cast(id % 50 as string), 10000) as t from range(0, 1000, 1, 2));

-- Microseconds that are no longs.
select n, timestamp_micros(n), timestamp_micros(b), timestamp_micros(s) from num where n <> 6;

-- Distinct functions beside others: beneath them a merge of buffers whose groups must not repeat, though the table is large.
select k, nk, flag, grouping_id(), count(*), count(distinct g) from big group by cube(k, nk, flag);
select k, count(distinct v), sum(v), count(*) from (select id % 3 as k, id % 70001 as v from range(0, 210000, 1, 2)) group by k;
select count(distinct v), sum(distinct v), max(v), avg(v) from (select id % 70001 as v from range(0, 210000, 1, 2));

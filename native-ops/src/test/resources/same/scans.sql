-- is jvm
select * from part;
-- is jvm
select p, q, dt from part;
select v from part where p = 'a b/c=d%' and q = 1;
select v, x from part where p like 'é%' or q is null;
select max(v), p from part group by p;
-- set spark.sql.columnVector.offheap.enabled=true
-- is jvm
select * from num;
-- set spark.sql.columnVector.offheap.enabled=true
select n, t, upper(t) from txt where n > 3;
-- set spark.sql.columnVector.offheap.enabled=true
select p, q, dt, count(*), max(x), sum(v) from part group by p, q, dt;
-- set spark.sql.columnVector.offheap.enabled=true
select k, sk, count(*), sum(dec), max(day) from big group by k, sk;
-- set spark.sql.parquet.enableVectorizedReader=false
select k, sk, count(*), sum(dec), max(day), max(t) from big join txt on k = n group by k, sk;
-- set spark.sql.orc.enableVectorizedReader=false
select b, f, count(*), max(s), sum(d), min(day), max(ts), sum(fl) from orcs group by b, f;
select b, f, count(*), max(s), sum(d), min(day), max(ts), sum(fl) from orcs group by b, f;
-- is jvm
select * from orcs where s > 's5' and f;
-- is jvm
select id, st.a, st.b.c, ar[0], m['k'] from nest where st.a > 10;
select st.b.c, count(*), sum(st.a) from nest group by st.b.c;
select k, sum(id) from nest where size(ar) = 2 group by k;
-- is jvm
select id, ar, m from nest where id % 7 = 0;
-- is jvm
select st, count(*) from nest group by st;
select k, count(*), max(id) from nest group by k;
-- set spark.sql.nestedSchemaPruning.enabled=false
-- is jvm
select st.a + 1, id from nest where id > 3;
select count(*) from num where true;
select 1 from num;
select 'x' as x, count(*) from (select 1 from big) group by 1;
-- is jvm
select * from num limit 3 offset 20;
select input_file_name() <> '', count(*) from big where id > 10 group by 1;
select regexp_extract(input_file_name(), 'part-[0-9]+', 0), count(*), sum(id), min(id) from big where id % 3 = 1 group by 1;
select regexp_extract(f, 'part-[0-9]+', 0), count(*), sum(id) from (select input_file_name() as f, id from big where d > 5) group by 1;
select input_file_block_start(), input_file_block_length() > 0, count(*) from part where v > 3 group by 1, 2;
select _metadata.file_size > 0, _metadata.row_index % 2, count(*) from big where id > 10 group by 1, 2;
-- is jvm
select _metadata.file_name is null, p, _metadata.file_modification_time > timestamp'2000-01-01 00:00:00', v from part where v > 10;
select p, regexp_extract(input_file_name(), 'q=[^/]*', 0) as f, q, count(*) from part where v > 3 group by p, regexp_extract(input_file_name(), 'q=[^/]*', 0), q;
select spark_partition_id() >= 0, monotonically_increasing_id() >= 0, count(*) from big where id > 3 group by 1, 2;
-- set spark.sql.files.maxPartitionBytes=300
select regexp_extract(input_file_name(), 'part-[0-9]+', 0), count(*), sum(id) from big where id > 7 group by 1;
-- set spark.sql.parquet.filterPushdown=false
select count(*), sum(n) from txt where t > 'a' and t < 'z';
-- set spark.sql.sources.useV1SourceList=
select k, count(*), max(sk) from big where id > 100 group by k;
-- set spark.sql.sources.bucketing.enabled=false
select k, count(*) from bucketed where k > 5 group by k;
-- set spark.sql.legacy.bucketedTableScan.outputOrdering=true
-- set spark.sql.autoBroadcastJoinThreshold=-1
select count(*), sum(id) from bucketed join bucketed2 using (k);
-- set spark.sql.legacy.bucketedTableScan.outputOrdering=true
-- is ordered
select k, count(*) from bucketed group by k order by k;
-- set spark.sql.parquet.datetimeRebaseModeInRead=LEGACY
select n, d, year(d), ts, cast(ts as date) from dat where n > 0;
-- set spark.sql.parquet.int96RebaseModeInRead=CORRECTED
select n, d, ts from dat where d < date'1970-01-01';
-- set spark.sql.readSideCharPadding=false
select n from txt where t = 'a' or t = 'a  ';
-- is jvm
select * from values (1, 'a'), (2, null), (null, 'c') as t(x, y) where x > 1 or y is not null;
select x, sum(y) from values (1, 2.5), (1, null), (2, 7.5) as t(x, y) group by x;
select id % 3, count(*), sum(id) from range(0, 1000, 1, 7) group by 1;
select count(*) from range(0);
select sum(id), max(id) from range(9223372036854775800, 9223372036854775807);
select k, count(*), count(t), sum(dec), max(more), min(flag) from evolved group by k;
select t, word, flag, count(*), sum(more), avg(dec) from evolved group by t, word, flag;
select upper(word), more + k, dec * 2, t is null, flag or k > 3, id from evolved where more >= 5 or t like '%1%';
select a.id, b.id, b.word from evolved a join evolved b on a.word = b.word and a.more = b.more and a.k = b.k where a.id < 200 or b.id > 1400;
select id, t, rank() over (partition by word order by more, dec, id) from evolved;
-- set spark.sql.columnVector.offheap.enabled=true
select word, t, more, count(*), sum(dec), max(flag) from evolved group by word, t, more;
-- set spark.sql.parquet.enableVectorizedReader=false
select word, t, more, count(*), sum(dec), max(flag) from evolved group by word, t, more;

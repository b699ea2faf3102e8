-- Tables with the values that queries go wrong over.

-- is setup
create table num using parquet as
select n, b, s, i, l, f, d, d5, d18, d38, w from values
(1, 127Y, 32767S, 2147483647, 9223372036854775807L, float('NaN'), double('NaN'), 999.99BD, 999999999999999.999BD, 99999999999999999999999999999999999999BD, 9999999999999999999999999999.9999999999BD),
(2, -128Y, -32768S, -2147483648, -9223372036854775808L, float('-0.0'), double('-0.0'), -999.99BD, -999999999999999.999BD, -99999999999999999999999999999999999999BD, -9999999999999999999999999999.9999999999BD),
(3, 0Y, 0S, 0, 0L, float('0'), double('0'), 0.00BD, 0.000BD, 0BD, 0.0000000000BD),
(4, 1Y, 1S, 1, 1L, float('Infinity'), double('Infinity'), 0.01BD, 0.001BD, 1BD, 0.0000000001BD),
(5, -1Y, -1S, -1, -1L, float('-Infinity'), double('-Infinity'), -0.01BD, -0.001BD, -1BD, -0.0000000001BD),
(6, null, null, null, null, null, null, null, null, null, null),
(7, 2Y, 2S, 2, 2L, float('1.4E-45'), double('4.9E-324'), 0.05BD, 0.005BD, 5BD, 0.5BD),
(8, 3Y, 3S, 3, 3L, float('3.4028235E38'), double('1.7976931348623157E308'), 0.15BD, 0.015BD, 15BD, 1.5BD),
(9, 7Y, 7S, 7, 9007199254740993L, float('0.1'), double('0.1'), 0.25BD, 0.025BD, 25BD, 2.5BD),
(10, 10Y, 100S, 1000000, 1000000000000000000L, float('2.5'), double('2.5'), 2.50BD, 2.500BD, 50000000000000000000000000000000000000BD, 1000000000000000000.0000000001BD),
(11, 64Y, 16384S, 1073741824, 4611686018427387904L, float('-2.5'), double('-2.5'), -2.50BD, -2.500BD, 90000000000000000000000000000000000000BD, 5000000000000000000000000000.0000000000BD),
(12, null, 5S, 5, null, float('NaN'), null, null, 123456.789BD, null, 12345.6789012345BD),
(13, -7Y, null, -7, -7L, null, double('NaN'), 12.34BD, null, 12BD, null)
as t(n, b, s, i, l, f, d, d5, d18, d38, w);

-- is setup
create table txt using parquet as
select n, t from values
(1, ''), (2, ' '), (3, 'a'), (4, 'A'), (5, 'é'), (6, 'ß'), (7, 'İ'), (8, 'ı'), (9, 'Ǆ'), (10, '😀'), (11, 'a😀b'),
(12, '日本語テキスト'), (13, 'e\u0301'), (14, ' 12 '), (15, '+5'), (16, '-0'), (17, '1e3'), (18, '1.5'), (19, '0x10'),
(20, '9223372036854775807'), (21, '9223372036854775808'), (22, '-9223372036854775808'), (23, '127'), (24, '128'),
(25, '-129'), (26, '32768'), (27, '2147483648'), (28, 'NaN'), (29, 'Infinity'), (30, '-inf'), (31, 'true'), (32, 'T'),
(33, 'yes'), (34, 'N'), (35, '2020-02-30'), (36, '2020-2-3'), (37, ' 2020-02-03 '), (38, '2020'), (39, '2020-02'),
(40, '+12020-01-01'), (41, '-0001-01-01'), (42, '0000-01-01'), (43, '2020-02-03T10'), (44, '2020-02-03 10:00:00+01:00'),
(45, '1582-10-10'), (46, '9999-12-31'), (47, '10000-01-01'), (48, '100%'), (49, '_x_'), (50, 'a\\b'), (51, '%'),
(52, 'twelve bytes'), (53, 'thirteen byte'), (54, 'thirteen bytf'), (55, 'sixteen bytes ok'), (56, '12345678901234567890123456789012345678'),
(57, '1.'), (58, '.5'), (59, '1d'), (60, '1f'), (61, '\t7\n'), (62, '1 2'), (63, '0.1e-2'), (64, '١٢'), (65, null),
(66, 'tab\tnew\nline'), (67, 'Straße ǅ ﬁ'), (68, 'x\u0000y'), (69, '\u0000'), (70, '\u0000\u0000'), (71, '1E+5'), (72, '--5'),
(73, '00000000000000000000000000000000000000000000007'), (74, '2020-02-03 24:00:00'), (75, '23:59:59'), (76, 'T10:00'),
(77, '2020-02-03 10:11:12.123456789'), (78, '294247-01-10T04:00:54.775807Z'), (79, '5881580-07-11'), (80, '-5877641-06-23')
as t(n, t)
union all select 100, cast(unhex('FF') as string) union all select 103, cast(unhex('EDA080') as string)
union all select 104, cast(unhex('C0AF62') as string) union all select 105, repeat('long text ', 5000)
union all select 106, repeat('é', 777);

-- is setup
create table dat using parquet as
select n, d, ts, cast(ts as timestamp_ntz) as nt from values
(1, date'1970-01-01', timestamp'1970-01-01 00:00:00'), (2, date'1969-12-31', timestamp'1969-12-31 23:59:59.999999'),
(3, date'1582-10-04', timestamp'1582-10-04 12:00:00'), (4, date'1582-10-15', timestamp'1582-10-15 00:00:00'),
(5, date'1900-02-28', timestamp'1900-02-28 23:00:00'), (6, date'2000-02-29', timestamp'2000-02-29 01:02:03.000004'),
(7, date'9999-12-31', timestamp'9999-12-31 23:59:59.999999'), (8, date'0001-01-01', timestamp'0001-01-01 00:00:00'),
(9, date'2024-03-31', timestamp'2024-03-31 02:30:00'), (10, date'2024-10-27', timestamp'2024-10-27 02:30:00'),
(11, null, null), (12, date'2021-01-03', timestamp'2021-01-03 23:59:59'), (13, date'2020-12-31', timestamp'2020-12-31 00:00:00'),
(14, date'-0044-03-15', timestamp'-0044-03-15 00:00:00'), (15, date'+12345-06-07', timestamp'+12345-06-07 08:09:10')
as t(n, d, ts) where d is null or year(d) between 1 and 9999;

-- is setup
create table big using parquet as
select /*+ repartition(5) */ id, id % 7 as k, cast(id % 1000 as int) as g, if(id % 11 = 0, null, id % 13) as nk,
 if(id % 17 = 0, null, concat('key ', id % 29)) as sk, case id % 5 when 0 then double('NaN') when 1 then -0.0D when 2 then 0.0D else id / 3D end as d,
 cast(id * 1.01 as decimal(12, 2)) as dec, date_add(date'2000-01-01', cast(id % 400 as int)) as day,
 timestamp_seconds(id * 3607) as ts, id % 3 = 0 as flag, if(id % 2 = 0, null, cast(id as string)) as st from range(0, 5000, 1, 4);

-- is setup
create table l using parquet as select * from values (1, 'a', 1.0D), (1, 'b', -0.0D), (2, null, 0.0D), (null, 'c', double('NaN')), (3, 'd', null), (4, 'e', double('NaN')), (null, null, null), (5, '', 5.5D) as t(k, s, d);

-- is setup
create table r using parquet as select * from values (1, 'x', 0.0D), (2, 'y', double('NaN')), (2, 'z', -0.0D), (null, 'w', null), (4, null, 1.0D), (9, 'q', 9.0D), (1, 'a', 1.0D) as t(k, s, d);

-- is setup
create table r_no_null using parquet as select * from values (1, 'x'), (2, 'y'), (7, 'z') as t(k, s);

-- is setup
create table nothing (k int, s string, d double) using parquet;

-- is setup
create table part (v bigint, x string, p string, q int, dt date) using parquet partitioned by (p, q, dt);
-- is setup
insert into part select id, concat('v', id), case id % 4 when 0 then null when 1 then 'a b/c=d%' when 2 then 'é' else 'z' end, if(id % 3 = 0, null, cast(id % 2 as int)), if(id % 5 = 0, null, date'2020-01-01') from range(60);

-- is setup
create table orcs using orc as select id, cast(id % 9 as decimal(25,3)) as d, if(id % 4 = 0, null, concat('s', id)) as s, id % 2 = 0 as f, cast(id as float) as fl, array(id) as a, cast(id % 3 as byte) as b, timestamp_seconds(id) as ts, date_add(date'1500-01-01', cast(id * 100 as int)) as day from range(0, 2000, 1, 3);

-- is setup
create table nest using parquet as select id, named_struct('a', id, 'b', named_struct('c', concat('c', id), 'd', array(id))) as st, array(id, null) as ar, map('k', id) as m, id % 5 as k from range(200);

-- is setup
create table bucketed using parquet clustered by (k) sorted by (k) into 4 buckets as select id, id % 50 as k, concat('b', id) as s from range(0, 3000, 1, 3);
-- is setup
create table bucketed2 using parquet clustered by (k) sorted by (k) into 4 buckets as select id as id2, id % 60 as k, concat('c', id) as s2 from range(0, 500, 1, 2);

-- is setup
create table csvs using csv as select /*+ repartition(6) */ id, k, sk from big where id < 900;

-- Files of before a column was added, with and without a default, and of after.

-- is setup
create table evolved (id bigint, k int) using parquet;
-- is setup
insert into evolved select id, cast(id % 7 as int) from range(0, 500, 1, 2);
-- is setup
alter table evolved add columns (t string, dec decimal(25, 2), flag boolean default true, word string default 'a text that does not fit into a slot', more bigint default 5);
-- is setup
insert into evolved select id, if(id % 3 = 0, null, cast(id % 9 as int)), if(id % 4 = 0, null, concat('text ', id % 11)), cast(id as decimal(25, 2)), id % 2 = 0, concat('word ', id % 5), if(id % 6 = 0, null, id) from range(500, 1500, 1, 3);
